import type { Found, SearchLine } from './search-lines.ts'

/** A file with what was found in it, in the order in which it was printed. */
export interface FoundFile {
  /** null when the search was in one file only, and did not print its path. */
  readonly path: string | null
  readonly found: readonly Found[]
}

export interface FoundFiles {
  /** Other lines before and after the matches. */
  readonly before: readonly string[]
  readonly files: readonly FoundFile[]
  readonly after: readonly string[]
}

/** Groups the lines by file; a path that is the end of another one names the same file. */
export function groupByFile(lines: readonly SearchLine[]): FoundFiles {
  const before: string[] = []
  const after: string[] = []
  const groups = new Map<string, { path: string | null; found: Found[] }>()
  const spelling = createSpelling()
  const groupOf = (path: string | null): { path: string | null; found: Found[] } => {
    const key = path === null ? '' : spelling(path)
    const known = groups.get(key)
    if (known !== undefined) return known
    const group = { path: path === null ? null : key, found: [] }
    groups.set(key, group)
    return group
  }
  for (const line of lines) {
    switch (line.kind) {
      case 'break':
        break
      case 'path':
        groupOf(line.path)
        after.length = 0
        break
      case 'other':
        if (groups.size === 0) before.push(line.text)
        else after.push(line.text)
        break
      default:
        addFound(after, groupOf(line.path).found, line)
    }
  }
  return { before, files: [...groups.values()], after }
}

/** Adds a match, after the text before it, which is a wrapped match or a notice. */
function addFound(between: string[], found: Found[], line: Found): void {
  for (const text of between) found.push({ ...line, kind: 'context', number: null, text })
  between.length = 0
  found.push(line)
}

/** Maps the absolute and relative paths of a file to the one that came first. */
function createSpelling(): (path: string) => string {
  const byName = new Map<string, string[]>()
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const spellings = byName.get(name)
    if (spellings === undefined) {
      byName.set(name, [path])
      return path
    }
    const same = spellings.find(
      (known) => known === path || known.endsWith(`/${path}`) || path.endsWith(`/${known}`),
    )
    if (same === undefined && spellings.length < 50) spellings.push(path)
    return same ?? path
  }
}
