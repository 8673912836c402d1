import type { FilePatch, PatchHunk } from '../core/words/action.ts'

type Line = PatchHunk['lines'][number]

interface OpenHunk {
  heading: string
  oldStart: number | null
  lines: Line[]
}

interface OpenUpdate {
  readonly path: string
  movedTo: string | null
  readonly hunks: OpenHunk[]
}

/**
 * Reads the patch format of `apply_patch` in Codex and OpenCode, also inside a heredoc, without an end marker, or with
 * several patches in a row.
 */
export function parseSectionedPatch(text: string): readonly FilePatch[] {
  const files: FilePatch[] = []
  let added: { readonly path: string; readonly lines: string[] } | null = null
  let update: OpenUpdate | null = null

  const close = (): void => {
    if (added !== null) {
      const content = added.lines.map((line) => `${line}\n`).join('')
      files.push({ op: 'add', path: added.path, content })
    }
    if (update !== null) {
      const hunks = update.hunks.filter((hunk) => hunk.lines.length > 0)
      files.push({ op: 'update', path: update.path, movedTo: update.movedTo, hunks })
    }
    added = null
    update = null
  }

  for (const line of linesOf(text)) {
    const marker = markerOf(line)
    if (marker !== null) {
      const moves: OpenUpdate | null = update
      if (marker.kind === 'move' && moves !== null) (moves as OpenUpdate).movedTo = marker.path
      if (marker.kind === 'move' || marker.kind === 'end-of-file') continue
      close()
      if (marker.kind === 'add') added = { path: marker.path, lines: [] }
      if (marker.kind === 'update') update = { path: marker.path, movedTo: null, hunks: [] }
      if (marker.kind === 'delete') files.push({ op: 'delete', path: marker.path })
    } else if (added !== null) {
      added.lines.push(line.startsWith('+') ? line.slice(1) : line)
    } else if (update !== null) {
      addToUpdate(update, line)
    }
  }
  close()
  return files
}

type Marker =
  | { readonly kind: 'boundary' | 'end-of-file' }
  | { readonly kind: 'add' | 'update' | 'delete' | 'move'; readonly path: string }

function markerOf(line: string): Marker | null {
  if (!line.startsWith('*** ')) return null
  const text = line.trimEnd()
  if (text === '*** Begin Patch' || text === '*** End Patch') return { kind: 'boundary' }
  if (text === '*** End of File') return { kind: 'end-of-file' }
  const match = /^\*\*\* (?:(Add|Update|Delete) File|(Move) to): ?(.+)$/.exec(text)
  const path = match?.[3]?.trim()
  if (path === undefined) return null
  switch (match?.[1] ?? match?.[2]) {
    case 'Add':
      return { kind: 'add', path }
    case 'Update':
      return { kind: 'update', path }
    case 'Delete':
      return { kind: 'delete', path }
    default:
      return { kind: 'move', path }
  }
}

function addToUpdate(update: OpenUpdate, line: string): void {
  const last = update.hunks.at(-1)
  if (line.startsWith('@@')) {
    const numbered = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/.exec(line)
    const heading = numbered === null ? line.slice(2).trim() : (numbered[2] ?? '')
    // Consecutive headings locate one place, such as a class and then its method.
    if (last !== undefined && last.lines.length === 0) {
      last.heading = last.heading === '' ? heading : `${last.heading}\n${heading}`
    } else {
      const oldStart = numbered === null ? null : Number(numbered[1])
      update.hunks.push({ heading, oldStart, lines: [] })
    }
    return
  }
  let hunk = last
  if (hunk === undefined) {
    hunk = { heading: '', oldStart: null, lines: [] }
    update.hunks.push(hunk)
  }
  const sign = line[0]
  if (sign === ' ' || sign === '-' || sign === '+') hunk.lines.push({ sign, text: line.slice(1) })
  // Models often omit the leading space of a context line.
  else hunk.lines.push({ sign: ' ', text: line })
}

/** The lines of the patch, without text before it (a command, a fence) and after it. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  const windows = lines.some((line) => /^\s*\*\*\* Begin Patch\r$/.test(line))
  const plain = windows ? lines.map((line) => line.replace(/\r$/, '')) : lines
  const kept: string[] = []
  let inside = !plain.some((line) => line.trim() === '*** Begin Patch')
  for (const line of plain) {
    const boundary = line.trim()
    if (boundary === '*** Begin Patch' && !isSigned(line, inside)) {
      inside = true
      kept.push('*** Begin Patch')
    } else if (boundary === '*** End Patch' && line.trimEnd() === '*** End Patch') {
      inside = false
      kept.push('*** End Patch')
    } else if (inside) {
      kept.push(line)
    }
  }
  if (inside && kept.at(-1) === '') kept.pop()
  return kept
}

/** Inside a patch, a marker after a space is a context line. */
function isSigned(line: string, inside: boolean): boolean {
  return inside && line.startsWith(' ')
}
