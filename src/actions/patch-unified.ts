import type { FilePatch, PatchHunk } from '../core/words/action.ts'

type Line = PatchHunk['lines'][number]

interface OpenFile {
  oldPath: string | null
  newPath: string | null
  created: boolean
  deleted: boolean
  renamed: boolean
  readonly hunks: PatchHunk[]
  endsWithNewline: boolean
}

const hunkHeader = /^@@+ -(\d+)(?:,(\d+))? (?:-\d+(?:,\d+)? )*\+(\d+)(?:,(\d+))? @@+ ?(.*)$/

/** Reads unified diffs, plain or from git, with renamed, new and deleted files. */
export function parseUnifiedDiff(text: string): readonly FilePatch[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const files: FilePatch[] = []
  let file: OpenFile | null = null
  const close = (): void => {
    const closed = file === null ? null : closedFile(file)
    if (closed !== null) files.push(closed)
    file = null
  }

  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? ''
    const git = /^diff --git (.+)$/.exec(line)
    if (git !== null) {
      close()
      file = openFile(...gitPaths((git[1] ?? '').replace(/\r$/, '')))
      index += 1
    } else if (isFileHeader(lines, index)) {
      const current: OpenFile | null = file
      if (current === null || current.hunks.length > 0) {
        close()
        file = openFile(null, null)
      }
      namePaths(file as unknown as OpenFile, line.slice(4), (lines[index + 1] ?? '').slice(4))
      index += 2
    } else if (file !== null && hunkHeader.test(line.replace(/\r$/, ''))) {
      index = readHunk(file, lines, index)
    } else {
      if (file !== null) readGitHeader(file, line.replace(/\r$/, ''))
      index += 1
    }
  }
  close()
  return files
}

function openFile(oldPath: string | null, newPath: string | null): OpenFile {
  return {
    oldPath,
    newPath,
    created: false,
    deleted: false,
    renamed: false,
    hunks: [],
    endsWithNewline: true,
  }
}

function isFileHeader(lines: readonly string[], index: number): boolean {
  return /^--- \S/.test(lines[index] ?? '') && /^\+\+\+ \S/.test(lines[index + 1] ?? '')
}

function namePaths(file: OpenFile, oldField: string, newField: string): void {
  const oldName = plainName(oldField)
  const newName = plainName(newField)
  file.created ||= oldName === '/dev/null'
  file.deleted ||= newName === '/dev/null'
  const prefixed =
    (oldName === '/dev/null' || /^[aiwco]\//.test(oldName)) &&
    (newName === '/dev/null' || /^[biwco]\//.test(newName))
  const strip = (name: string): string => (prefixed ? name.slice(2) : name)
  if (!file.created) file.oldPath = strip(oldName)
  if (!file.deleted) file.newPath = strip(newName)
}

/** A name after `---`, without its time stamp and git's quoting. */
function plainName(field: string): string {
  const name = field.replace(/\r$/, '').replace(/\t.*$/, '')
  return name.startsWith('"') && name.endsWith('"') ? unquoted(name.slice(1, -1)) : name.trimEnd()
}

function unquoted(name: string): string {
  const bytes: number[] = []
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
  for (const part of name.matchAll(/\\([0-7]{3}|.)|([^\\]+)/gsu)) {
    if (part[1] === undefined) bytes.push(...new TextEncoder().encode(part[2] ?? ''))
    else if (part[1].length === 3) bytes.push(Number.parseInt(part[1], 8))
    else bytes.push(...new TextEncoder().encode(escapes[part[1]] ?? part[1]))
  }
  return new TextDecoder().decode(new Uint8Array(bytes.map((byte) => byte & 255)))
}

function gitPaths(rest: string): [string | null, string | null] {
  const quoted = /^"a\/((?:[^"\\]|\\.)*)" "b\/((?:[^"\\]|\\.)*)"$/.exec(rest)
  if (quoted !== null) return [unquoted(quoted[1] ?? ''), unquoted(quoted[2] ?? '')]
  // Names may contain spaces, but without a rename both are equal.
  const half = (rest.length - 1) / 2
  const name = rest.slice(2, half)
  if (rest === `a/${name} b/${name}`) return [name, name]
  const split = /^a\/(\S+) b\/(\S+)$/.exec(rest)
  return split === null ? [null, null] : [split[1] ?? null, split[2] ?? null]
}

function readGitHeader(file: OpenFile, line: string): void {
  const rename = /^rename (from|to) (.+)$/.exec(line)
  if (rename !== null) {
    file.renamed = true
    const name = plainName(rename[2] ?? '')
    if (rename[1] === 'from') file.oldPath = name
    else file.newPath = name
  }
  if (line.startsWith('new file mode ')) file.created = true
  if (line.startsWith('deleted file mode ')) file.deleted = true
  // A copy does not change its source, so only the target is patched.
  if (line.startsWith('copy to ')) file.oldPath = plainName(line.slice('copy to '.length))
}

/**
 * The counts in the header decide where a hunk ends, because a removed `-- x` looks like a file header. Counts written by
 * a model are often too small, so signed lines that follow still belong to the hunk.
 */
function readHunk(file: OpenFile, lines: readonly string[], at: number): number {
  const header = hunkHeader.exec((lines[at] ?? '').replace(/\r$/, ''))
  let oldLeft = Number(header?.[2] ?? 1)
  let newLeft = Number(header?.[4] ?? 1)
  const read: Line[] = []
  let index = at + 1
  for (; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const sign = line[0]
    if (sign === '\\') {
      if (read.at(-1)?.sign !== '-') file.endsWithNewline = false
      continue
    }
    const counted = oldLeft > 0 || newLeft > 0
    if (!counted && (isFileHeader(lines, index) || /^--\s*$/.test(line))) break
    if (sign === ' ' || sign === '-' || sign === '+') read.push({ sign, text: line.slice(1) })
    else if (counted && line.trim() === '') read.push({ sign: ' ', text: line })
    else break
    if (sign !== '+') oldLeft -= 1
    if (sign !== '-') newLeft -= 1
  }
  const oldStart = Number(header?.[1] ?? 0)
  file.hunks.push({ heading: header?.[5] ?? '', oldStart, lines: read })
  return index
}

function closedFile(file: OpenFile): FilePatch | null {
  const path = file.oldPath ?? file.newPath
  if (path === null) return null
  if (file.deleted) return { op: 'delete', path }
  if (file.created) {
    const added = file.hunks.flatMap((hunk) => hunk.lines.filter((line) => line.sign !== '-'))
    const text = added.map((line) => line.text).join('\n')
    const content = added.length > 0 && file.endsWithNewline ? `${text}\n` : text
    return { op: 'add', path: file.newPath ?? path, content }
  }
  const moved = file.newPath !== null && file.newPath !== path
  const movedTo = moved ? file.newPath : null
  if (file.hunks.length === 0 && !file.renamed && file.newPath === null) return null
  return { op: 'update', path, movedTo, hunks: file.hunks }
}
