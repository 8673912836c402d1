import { cutMark } from '../marks.ts'
import { askedWords, linesAskedFor } from './asked-words.ts'
import type { DigestSource } from './digest-types.ts'
import { readSearchLines, type SearchLine } from './search-lines.ts'
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
