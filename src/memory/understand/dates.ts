import { casual } from 'chrono-node/en'

/** A sentence without its dates, and the time for which it holds. */
export interface DatedSentence {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly from?: number
  readonly until?: number
}

const beginning =
  /\b(?:ever since|since|as of|as from|from|starting(?: from| on| in)?|beginning(?: on| in| from)?|effective(?: from| as of)?)\s+/giu
const ending = /\b(?:until|till|up until|up to|through)\s+(?:the end of\s+)?/giu
/** Words for an event, which has a start date. `Our deadline is on Friday` has none. */
const happened =
  /\b(?:switched|moved|migrated|changed|went|dropped|ditched|stopped|replaced|swapped|adopted|decided|chose|settled|agreed|started|began|became|upgraded|converted|renamed|retired|abandoned|joined)\b/iu
const occasion = /(?:^|\s)(?:back in|earlier in|in|on|at|during)\s+/giu
const yearAlone = /^(?:early |late |mid-?)?((?:19|20)\d\d)(?!\d|[.-]\d)/iu
const quarter = /^(?:the )?(first|second|third|fourth|1st|2nd|3rd|4th) quarter|^Q([1-4])(?!\d)/iu
/** Ambiguous words that are dates only when capitalised. */
const ambiguous = /^(?:may|march|second|this)$/iu
const abbreviated = /^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|now)\.?$/iu
const dayMs = 86_400_000
/** How far to look for a date; the parser would read to the end of the text. */
const longestDate = 120
/** More date words than this do not occur in a sentence. */
const mostCues = 20

interface Found {
  readonly start: number
  readonly end: number
  readonly time: number
}

/** Removes the dates from a sentence that say from when or until when it holds. */
export function readDates(sentence: string, saidAt: number): DatedSentence {
  const isPast =
    happened.test(sentence) || /\b(?:used|were|was|had|have|has|'ve|been)\b/iu.test(sentence)
  const begin = findAfter(sentence, beginning, saidAt, 'since')
  const end = findAfter(sentence, ending, saidAt, isPast ? 'past' : 'coming')
  if (begin || end)
    return {
      text: without(sentence, [begin, end]),
      ...(begin === undefined ? {} : { from: begin.time }),
      ...(end === undefined ? {} : { until: end.time }),
    }
  if (!happened.test(sentence)) return { text: sentence }
  const event = findAfter(sentence, occasion, saidAt, 'past') ?? adverbial(sentence, saidAt)
  if (event === undefined || event.time > saidAt) return { text: sentence }
  return { text: without(sentence, [event]), from: event.time }
}

type Direction = 'since' | 'past' | 'coming'

function findAfter(
  sentence: string,
  cue: RegExp,
  saidAt: number,
  direction: Direction,
): Found | undefined {
  let cues = 0
  for (const match of sentence.matchAll(cue)) {
    if (++cues > mostCues) break
    const from = match.index + match[0].length
    // `since` is always in the past; other start dates may be in the future.
    const looks = direction === 'since' && !/since/i.test(match[0]) ? 'coming' : direction
    const date = dateAt(
      sentence.slice(from, from + longestDate),
      saidAt,
      looks === 'since' ? 'past' : looks,
    )
    if (date === undefined) continue
    const onward =
      /^\s*(?:on(?:wards?)?\b(?=\s*(?:,|$|we\b|i\b|use\b|please\b))|onwards?\b)/iu.exec(
        sentence.slice(from + date.length),
      )
    const end = from + date.length + (onward?.[0].length ?? 0)
    return { start: match.index, end, time: date.time }
  }
  return undefined
}

/** `last week`, `two months ago`, `yesterday`: dates that need no word before them. */
function adverbial(sentence: string, saidAt: number): Found | undefined {
  const found =
    /\b(?:yesterday|last (?:week|month|year|quarter|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|night|january|february|march|april|may|june|july|august|september|october|november|december)|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|a few|a couple of) (?:days?|weeks?|months?|years?|hours?) ago|this morning|earlier today)\b/iu.exec(
      sentence,
    )
  const date = found ? dateAt(found[0], saidAt, 'past') : undefined
  return found && date
    ? { start: found.index, end: found.index + found[0].length, time: date.time }
    : undefined
}

function dateAt(
  text: string,
  saidAt: number,
  direction: 'past' | 'coming',
): { readonly time: number; readonly length: number } | undefined {
  const year = yearAlone.exec(text)
  if (year) return { time: Date.UTC(Number(year[1]), 0, 1), length: year[0].length }
  const part = quarter.exec(text)
  if (part) {
    const number = part[2] === undefined ? ordinal(part[1] ?? '') : Number(part[2])
    return { time: quarterStart(number, saidAt, direction), length: part[0].length }
  }
  const [found] = casual.parse(text, { instant: new Date(saidAt), timezone: 0 })
  if (found?.index !== 0 || abbreviated.test(found.text)) return undefined
  const { start } = found
  // `from 10 to 20` is not a date.
  const named = ['day', 'weekday', 'month', 'year'] as const
  if (!named.some((part) => start.isCertain(part))) return undefined
  if (ambiguous.test(found.text) && !/^\p{Lu}\p{Ll}+$/u.test(found.text)) return undefined
  let time = start.date().getTime()
  if (!start.isCertain('hour')) time = Math.floor(time / dayMs) * dayMs
  if (!start.isCertain('year') && !start.isCertain('weekday'))
    time = shifted(time, saidAt, direction, 'year')
  if (start.isCertain('weekday') && !start.isCertain('day'))
    time = shifted(time, saidAt, direction, 'week')
  return { time, length: found.text.length }
}

function ordinal(word: string): number {
  const named = ['first', 'second', 'third', 'fourth'].indexOf(word.toLowerCase())
  return named === -1 ? Number(word[0]) : named + 1
}

function quarterStart(number: number, saidAt: number, direction: 'past' | 'coming'): number {
  const start = Date.UTC(new Date(saidAt).getUTCFullYear(), (number - 1) * 3, 1)
  return shifted(start, saidAt, direction, 'year')
}

/** `since March` means the last March, `until March` the next one. */
function shifted(
  time: number,
  saidAt: number,
  direction: 'past' | 'coming',
  by: 'year' | 'week',
): number {
  const step = (from: number, sign: 1 | -1): number => {
    if (by === 'week') return from + sign * 7 * dayMs
    const date = new Date(from)
    return date.setUTCFullYear(date.getUTCFullYear() + sign)
  }
  let shown = time
  if (direction === 'past') while (shown > saidAt) shown = step(shown, -1)
  else if (by === 'week') while (shown < saidAt - dayMs) shown = step(shown, 1)
  return shown
}

function without(sentence: string, spans: readonly (Found | undefined)[]): string {
  const ordered = spans.filter((span) => span !== undefined).toSorted((a, b) => b.start - a.start)
  let text = sentence
  for (const { start, end } of ordered) text = `${text.slice(0, start)} ${text.slice(end)}`
  return text
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.;!?])/g, '$1')
    .replace(/^[\s,;:—–-]+/, '')
    .replace(/,\s*([.!?]|$)/, '$1')
    .trim()
}
