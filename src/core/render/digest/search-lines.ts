/** A matching line or a context line of a search. */
export interface Found {
  readonly kind: 'match' | 'context'
  readonly path: string | null
  readonly number: string | null
  /** The number and the text, as they are shown below their path. */
  readonly text: string
  readonly line: number
}

export type SearchLine =
  | Found
  /** A path on a line of its own, before its matches, or alone. */
  | { readonly kind: 'path'; readonly path: string; readonly line: number }
  | { readonly kind: 'break'; readonly line: number }
  | { readonly kind: 'other'; readonly text: string; readonly line: number }

const withPath = /^((?:[A-Za-z]:)?[^\s:][^:\n]{0,300}?):(\d+):(?:(\d+):)?/
const contextWithPath =
  /^((?:\.{0,2}\/)?[\w@+][^:\n]{0,300}?\.\w{1,10}|[\w@.+/-]+\/[\w@.+-]+)-(\d+)-/
const numbered = /^\s*(\d+)([:-])/
const openCodeNumbered = /^\s*Line (\d+): /
const pathOnly =
  /^(?:[A-Za-z]:)?[\w@.+~ \-[\]()$/\\]*[\w)\]]\.\w{1,12}:?$|^\.{0,2}\/?[\w@.+-]+(?:\/[\w@.+\-[\]()]+)+:?$/
const pathAndText = /^((?:\.{0,2}\/)?(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.\w{1,10}):(?!\/\/)/

/** Longer lines are cut. */
const longest = 500

/** Reads what grep, ripgrep, ag, ack, git grep or an agent's own search tool printed. */
export function readSearchLines(lines: readonly string[]): readonly SearchLine[] {
  let heading: string | null = null
  return lines.map((whole, line) => {
    const text = whole.length > longest ? whole.slice(0, longest) : whole
    if (text === '--' || text.trim() === '') return { kind: 'break', line }
    const full = withPath.exec(text)
    if (full !== null) return found('match', text, full, line)
    const around = contextWithPath.exec(text)
    if (around !== null) return found('context', text, around, line)
    const labelled = openCodeNumbered.exec(text)
    if (labelled !== null) {
      const [label, number = ''] = labelled
      return {
        kind: 'match',
        path: heading,
        number,
        text: `${number}: ${text.slice(label.length)}`,
        line,
      }
    }
    const number = numbered.exec(text)
    if (number !== null) {
      const kind = number[2] === ':' ? 'match' : 'context'
      return { kind, path: heading, number: number[1] ?? null, text, line }
    }
    if (text.length < 300 && pathOnly.test(text)) {
      heading = text.endsWith(':') ? text.slice(0, -1) : text
      return { kind: 'path', path: heading, line }
    }
    const bare = pathAndText.exec(text)
    if (bare !== null) return found('match', text, bare, line)
    return { kind: 'other', text, line }
  })
}

function found(kind: Found['kind'], text: string, match: RegExpExecArray, line: number): Found {
  const [, path = '', number = null] = match
  return { kind, path, number, text: text.slice(path.length + 1).trimEnd(), line }
}
