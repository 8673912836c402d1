import { cutMark } from '../marks.ts'
import { askedWords, linesAskedFor } from './asked-words.ts'
import type { DigestSource } from './digest-types.ts'
import type { RankedLines } from './stand-out.ts'

const searchProgram = /\b(?:[efz]?grep|rg|ag|ack)\b/
/** The share of lines that must be matches. */
const leastMatches = 0.6

export function isSearch(lines: readonly string[], { action }: DigestSource): boolean {
  const searches =
    action?.kind === 'search' || (action?.kind === 'shell' && searchProgram.test(action.command))
  if (!searches) return false
  const sample = readSearchLines(lines.filter((line) => line.trim() !== '').slice(0, 400))
  const found = sample.filter((line) => hasPlace(line) || line.kind === 'path')
  return found.length > sample.length * leastMatches && sample.some(hasPlace)
}

function hasPlace(line: SearchLine): boolean {
  return (line.kind === 'match' || line.kind === 'context') && line.number !== null
}

/** Lines about what the user asked for stay. Then come the first match of each file, other matches, and context lines. */
export function rankSearch(lines: readonly string[], { request }: DigestSource): RankedLines {
  const asked = [...linesAskedFor(lines, askedWords(request))]
  const first: number[] = []
  const matches: number[] = []
  const context: number[] = []
  const other: number[] = []
  const seen = new Map<string, number>()
  for (const each of readSearchLines(lines)) {
    if (each.kind === 'break') continue
    if (each.kind === 'context') context.push(each.line)
    else if (each.kind !== 'match') other.push(each.line)
    else {
      const count = (seen.get(each.path ?? '') ?? 0) + 1
      seen.set(each.path ?? '', count)
      if (count === 1) first.push(each.line)
      else matches.push(each.line)
    }
  }
  return {
    must: [...asked, ...other],
    useful: [...first, ...matches, ...context],
    groups: [matches, context],
  }
}

/** Where the left-out matches are: each file with the numbers of its lines. */
export function leftOutPlaces(
  lines: readonly string[],
  isKept: (line: number) => boolean,
): readonly string[] {
  const byPath = new Map<string, string[]>()
  for (const each of readSearchLines(lines)) {
    if (each.kind !== 'match' || isKept(each.line)) continue
    const path = each.path ?? ''
    const numbers = byPath.get(path) ?? []
    if (each.number !== null) numbers.push(each.number)
    byPath.set(path, numbers)
  }
  return [...byPath].map(([path, numbers]) => cutMark.matches(path, numbers))
}

/** A matching line or a context line of a search. */
interface Found {
  readonly kind: 'match' | 'context'
  readonly path: string | null
  readonly number: string | null
  /** The number and the text, as they are shown below their path. */
  readonly text: string
  readonly line: number
}

type SearchLine =
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
function readSearchLines(lines: readonly string[]): readonly SearchLine[] {
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
