import { cutEnd } from '../cut.ts'
import { cut } from '../marks.ts'
import type { DigestLimits } from './digest-types.ts'
import { indexNames, indexShare } from './name-index.ts'
import type { OutputKind } from './output.ts'
import { moreThan, type Output, runs, shareOf } from './output.ts'
import { type FoundFile, groupByFile } from './search-groups.ts'
import { type Found, readSearchLines } from './search-lines.ts'

const searchers = /^(?:grep|egrep|fgrep|zgrep|rg|ag|ack|ugrep)$/
const matchLine =
  /^(?:\s*(?:Line )?\d+[:-]|[^\s:]{1,300}:\d+[:-]|[\w@./+-]+\.\w{1,10}(?::|-\d+-)|--$)/
const placed = /^[^\s:]{1,300}:\d+[:-]/
const pathLine = /^[\w@.~/\\: -]{1,300}$/
const longestMatch = 180
const longestOther = 300
const definition =
  /\b(?:function|func|fn|def|class|interface|type|struct|enum|trait|impl|const|export|module|describe|it|test)\b/

/** Search results: each path once with its matches below it, limited per file and in total. */
export const search: OutputKind = {
  kind: 'search',
  bestFit: 0.9,
  fits(output) {
    const { action } = output.source
    if (action?.kind === 'search')
      return shareOf(output, matchLine) + shareOf(output, pathLine) > 0.3 ? 0.9 : 0.45
    if (runs(output, searchers) || isGitGrep(output))
      return moreThan(0.5, output, matchLine) ? 0.85 : 0
    const isAlike = moreThan(0.85, output, matchLine) && moreThan(0.6, output, placed)
    return isAlike ? 0.55 : 0
  },
  digest: (output, limits) => render(output, limits),
}

function isGitGrep({ programs }: Output): boolean {
  return programs.some(([program, verb]) => program === 'git' && verb === 'grep')
}

interface Candidate {
  readonly file: number
  readonly match: Found
}

function render(output: Output, limits: DigestLimits): string {
  const { before, files, after } = groupByFile(readSearchLines(output.lines))
  const around = [...before, ...after].reduce(
    (sum, text) => sum + Math.min(text.length, longestOther) + 1,
    0,
  )
  const whole = files.reduce((sum, file) => sum + costOf(file), around)
  const room = whole <= limits.targetChars ? whole : limits.targetChars * (1 - indexShare)
  const named = namedFiles(files, room - around)
  const shown = chooseMatches(files, named, room - around)

  const parts = before.map((text) => cutEnd(text, longestOther))
  const leftOut: string[] = []
  let count = 0
  for (const [at, file] of files.entries()) {
    const matches = shown.get(at) ?? new Set()
    const hidden = file.found.filter((match) => !matches.has(match))
    count += hidden.length
    if (!named.has(at)) leftOut.push(file.path ?? '')
    for (const match of file.found) {
      if (!matches.has(match) || match.text.length > longestMatch) leftOut.push(match.text)
    }
    if (named.has(at) || matches.size > 0) parts.push(showFile(file, matches))
  }
  parts.push(...after.map((text) => cutEnd(text, longestOther)))
  const body = parts.filter((part) => part !== '').join('\n')
  if (leftOut.length === 0) return body
  const chars = Math.floor(limits.targetChars * indexShare)
  const { names, more } = indexNames(leftOut, body, { chars })
  const namesLeftOut = cut.namedThere(names, more)
  return `${body}\n${cut.closing(cut.leftOut(count, 'lines'), namesLeftOut, limits.recall)}`
}

function costOf(file: FoundFile): number {
  return file.found.reduce(
    (sum, match) => sum + Math.min(match.text.length, longestMatch) + 1,
    (file.path ?? '').length + 1,
  )
}

/** The files whose paths are shown, which may take a large part of the room. */
function namedFiles(files: readonly FoundFile[], room: number): ReadonlySet<number> {
  const weights = files.map(weightOf)
  const ranked = files.map((_, at) => at).toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0))
  const share = files.some(({ found }) => found.length > 0) ? 0.6 : 1
  const named = new Set<number>()
  let used = 0
  for (const at of ranked) {
    const cost = (files[at]?.path ?? '').length + 8
    if (named.size > 0 && used + cost > room * share) continue
    named.add(at)
    used += cost
  }
  return named
}

const besideTheCode =
  /(?:^|[/._-])(?:tests?|__tests__|specs?|examples?|docs?|fixtures?|dist|vendor)(?:[/._-]|$)|\.(?:md|mdx|txt|json|lock|snap)$/i

/** Files with many matches come first, and code before tests and documentation. */
function weightOf({ path, found }: FoundFile): number {
  if (path === null) return Number.POSITIVE_INFINITY
  return Math.log2(1 + found.length) - (besideTheCode.test(path) ? 1.5 : 0)
}

function chooseMatches(
  files: readonly FoundFile[],
  named: ReadonlySet<number>,
  room: number,
): ReadonlyMap<number, Set<Found>> {
  let left = room
  for (const at of named) left -= (files[at]?.path ?? '').length + 8
  const shown = new Map<number, Set<Found>>()
  for (const { file, match } of candidates(files, named)) {
    const cost = Math.min(match.text.length, longestMatch) + 1
    if (cost > left) continue
    left -= cost
    const matches = shown.get(file)
    if (matches === undefined) shown.set(file, new Set([match]))
    else matches.add(match)
  }
  return shown
}

/** The first matches of all files come before the second ones, so that no file takes all the room. */
function candidates(files: readonly FoundFile[], named: ReadonlySet<number>): readonly Candidate[] {
  const tiers: Candidate[][] = [[], [], [], [], []]
  for (const [at, file] of files.entries()) {
    if (!named.has(at)) continue
    let rank = 0
    for (const match of file.found) {
      const tier = tierOf(match, rank)
      if (match.kind === 'match') rank++
      tiers[tier]?.push({ file: at, match })
    }
  }
  return tiers.flat()
}

function tierOf(match: Found, rank: number): number {
  if (match.kind === 'context') return definition.test(match.text) ? 3 : 4
  const isDefinition = definition.test(match.text)
  if (rank < 3 && isDefinition) return 0
  if (rank < 2) return 1
  return rank < 6 || isDefinition ? 2 : 3
}

/** The path with the line numbers of hidden matches, and the shown matches. */
function showFile({ path, found }: FoundFile, matches: ReadonlySet<Found>): string {
  const hidden = found.filter((match) => match.kind === 'match' && !matches.has(match))
  const numbers = hidden.map((match) => match.number).filter((number) => number !== null)
  const rest =
    numbers.length === 0 ? '' : `:${numbers.slice(0, 8).join(',')}${numbers.length > 8 ? ',…' : ''}`
  const shown = found
    .filter((match) => matches.has(match))
    .map((match) => cutEnd(match.text, longestMatch))
  if (path === null) return shown.join('\n')
  const [only] = shown
  if (only !== undefined && found.length === 1) return `${path}:${only}`
  return [`${path}${rest}`, ...shown].join('\n')
}
