import type { FileGlimpse } from '../../core/words/reading.ts'

/** Search tools cut or omit longer lines. */
const longestLine = 400
const mostStretches = 60

interface Found {
  readonly path: string
  readonly number: number
  readonly text: string
}

/**
 * The lines that a search found, with their numbers. `path` is set if a single file was searched, because then the lines
 * have no file name.
 */
export function foundLines(output: string, path: string | null): readonly FileGlimpse[] {
  const lines = output.split('\n')
  const found =
    headedLines(lines) ?? (path === null ? prefixedLines(lines) : plainLines(lines, path))
  const byPath = new Map<string, Map<number, string>>()
  for (const { path: file, number, text } of found) {
    if (text.length > longestLine || text.includes('\u001b')) continue
    const known = byPath.get(file) ?? new Map<number, string>()
    byPath.set(file, known.set(number, text))
  }
  return [...byPath].map(([file, texts]) => ({
    path: file,
    stretches: stretchesOf(texts),
    complete: false,
  }))
}

/** OpenCode: each file as a heading, followed by `Line 12: text`. */
function headedLines(lines: readonly string[]): readonly Found[] | null {
  if (!/^Found \d+ match(?:es)?\b/.test(lines[0] ?? '')) return null
  const found: Found[] = []
  let path: string | null = null
  for (const line of lines) {
    const heading = /^(\S.*):$/.exec(line)
    if (heading !== null) path = heading[1] as string
    const row = /^ {2}Line (\d+): (.*)$/.exec(line)
    if (row === null || path === null) continue
    found.push({ path, number: Number(row[1]), text: row[2] as string })
  }
  return found
}

/** `12:text` for matches and `13-text` for context. Empty if there is any other line. */
function plainLines(lines: readonly string[], path: string): readonly Found[] {
  const found: Found[] = []
  for (const line of lines) {
    if (line === '' || line === '--') continue
    const row = /^(\d+)([:-])(.*)$/.exec(line)
    if (row === null) return []
    if (isMatch(row[2])) found.push({ path, number: Number(row[1]), text: row[3] as string })
  }
  return found
}

/** Only matches are exact: Claude Code treats the text before a colon as a path, which alters context lines. */
function isMatch(separator: string | undefined): boolean {
  return separator === ':'
}

/** `path:12:text`. */
function prefixedLines(lines: readonly string[]): readonly Found[] {
  return lines.flatMap((line): readonly Found[] => {
    const row = /^([^:\s][^:\n]*):(\d+):(.*)$/.exec(line)
    if (row === null) return []
    return [{ path: row[1] as string, number: Number(row[2]), text: row[3] as string }]
  })
}

function stretchesOf(texts: ReadonlyMap<number, string>): FileGlimpse['stretches'] {
  const stretches: { first: number; lines: string[] }[] = []
  for (const [number, text] of [...texts].sort(([a], [b]) => a - b)) {
    const last = stretches.at(-1)
    if (last !== undefined && last.first + last.lines.length === number) last.lines.push(text)
    else stretches.push({ first: number, lines: [text] })
  }
  return stretches.slice(0, mostStretches)
}
