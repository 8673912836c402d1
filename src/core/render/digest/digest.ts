import { isContextTool, restoresOriginal } from '../../words/context-tools.ts'
import { cutMark, isDigest } from '../marks.ts'
import { shortLine, terminalText } from './clean-lines.ts'
import { isDiff, rankDiff } from './diff.ts'
import type { DigestLimits, DigestSource } from './digest-types.ts'
import { splitLongJson } from './json-layout.ts'
import { indexNames } from './name-index.ts'
import { isSearch, leftOutPlaces, rankSearch } from './search.ts'
import { type RankedLines, rankLines } from './stand-out.ts'

/** A digest longer than this share of the text is not used. */
const mostShare = 0.9
/** How many shapes of left-out lines are named. */
const namedShapes = 3
const exampleChars = 60

/**
 * A short form of a result, or null when it should stay whole. It is deterministic and never longer than 0.9 of the text.
 * It leaves out lines that are like many others, keeps what stands out, and says what it left out and how to restore it.
 */
export function digest(source: DigestSource, limits: DigestLimits): string | null {
  const { text } = source
  if (text.length <= limits.leastChars || !isDigestible(source)) return null
  const lines = readLines(text)
  const isOfSearch = isSearch(lines, source)
  const ranked = rank(lines, source, isOfSearch)
  const short = lines.map(createShortener(lines, limits))
  const kept = chooseLines(short, ranked, limits)
  const shown = showLines(short, kept)
  const isKept = (line: number): boolean => kept[line] === 1
  const places = isOfSearch ? leftOutPlaces(lines, isKept) : []
  const closing = closingLines(lines, ranked, { isKept, shown, limits })
  const whole = [shown, ...places, ...closing].join('\n')
  return whole.length > text.length * mostShare ? null : whole
}

/** False for running commands, task lists, digests, and results that were restored on purpose. */
function isDigestible({ status, action, tool, text }: DigestSource): boolean {
  if (status === 'running' || action?.kind === 'list' || isContextTool(tool)) return false
  return !restoresOriginal(tool, action) && !isDigest(text)
}

/** The lines that a terminal would show. */
function readLines(text: string): readonly string[] {
  return terminalText(text).split('\n').flatMap(splitLongJson)
}

function rank(lines: readonly string[], source: DigestSource, isOfSearch: boolean): RankedLines {
  if (isDiff(lines)) return rankDiff(lines)
  return isOfSearch ? rankSearch(lines, source) : rankLines(lines, source)
}

/** Marks the lines to show with 1. */
function chooseLines(
  lines: readonly string[],
  { must, useful }: RankedLines,
  { targetChars, mustChars }: DigestLimits,
): Uint8Array {
  const kept = new Uint8Array(lines.length)
  let used = 0
  const take = (chosen: readonly number[], most: number): void => {
    for (const at of chosen) {
      if (kept[at] === 1) continue
      const chars = (lines[at] as string).length + 1
      if (used + chars > most) continue
      kept[at] = 1
      used += chars
    }
  }
  take(must, mustChars)
  take(useful, Math.max(targetChars, used + targetChars / 2))
  return kept
}

/** Lines beyond this length may be shortened. */
const longLine = 600

/** Shortens long lines so that all of them fit into the digest; a few long lines keep more than many. */
function createShortener(
  lines: readonly string[],
  { targetChars }: DigestLimits,
): (line: string) => string {
  const long = lines.filter(({ length }) => length > longLine).length
  const most = Math.max(longLine, Math.floor(targetChars / Math.max(1, long)))
  return (line) => shortLine(line.trimEnd(), most)
}

/** The kept lines, with a mark for every gap. Lines that are shorter than a mark are shown. */
function showLines(lines: readonly string[], kept: Uint8Array): string {
  const shown: string[] = []
  let at = 0
  while (at < lines.length) {
    if (kept[at] === 1) {
      shown.push(lines[at++] as string)
      continue
    }
    const first = at
    while (at < lines.length && kept[at] !== 1) at++
    const hidden = lines.slice(first, at)
    if (hidden.every((line) => line.trim() === '')) {
      shown.push('')
      continue
    }
    const mark = cutMark.gap(at - first)
    const chars = hidden.reduce((sum, line) => sum + line.length + 1, 0)
    if (chars <= mark.length) {
      shown.push(...hidden)
      kept.fill(1, first, at)
    } else shown.push(mark)
  }
  return shown.join('\n').trimEnd()
}

interface Shown {
  readonly isKept: (line: number) => boolean
  readonly shown: string
  readonly limits: DigestLimits
}

/** How many lines of which shapes are left out, the names in them, and how to see them. */
function closingLines(
  lines: readonly string[],
  { groups }: RankedLines,
  { isKept, shown, limits }: Shown,
): readonly string[] {
  const leftOut = lines.flatMap((line, at) => (isKept(at) || line.trim() === '' ? [] : [at]))
  const shapes = groups
    .map((group) => group.filter((at) => !isKept(at)))
    .filter(({ length }) => length > 1)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, namedShapes)
    .map((group) => {
      const example = (lines[group[0] as number] as string).trim()
      return cutMark.alike(group.length, shortLine(example, exampleChars))
    })
  const names =
    limits.namesChars === 0
      ? ''
      : namesIn(
          leftOut.map((at) => lines[at] as string),
          shown,
          limits.namesChars,
        )
  const count =
    leftOut.length === 0
      ? 'ends of long lines and terminal codes left out'
      : cutMark.leftOut(leftOut.length, 'output lines')
  return [cutMark.write(count, shapes.join(', '), names, limits.recall)]
}

function namesIn(leftOut: readonly string[], shown: string, chars: number): string {
  const { names, more } = indexNames(leftOut, shown, { chars })
  return cutMark.leftOutNames(names, more)
}
