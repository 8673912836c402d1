import type { LineRange } from '../core/words/action.ts'
import { type Fields, wholeNumber } from './call-input.ts'

export interface LineRangeOptions {
  /** The meaning of `offset`: the first line from 1, or the number of lines before it. */
  readonly offset: 'first-line' | 'lines-skipped'
}

/** The lines that a read call asks for, or null if it has no range. */
export function lineRangeOf(fields: Fields, options: LineRangeOptions): LineRange | null {
  const pair = fields.list('viewrange', 'readrange', 'linerange', 'lines', 'range')
  if (pair !== null) {
    const start = wholeNumber(pair[0])
    return start === null ? null : lineRange({ start, end: wholeNumber(pair[1]) })
  }
  const limit = fields.number('limit', 'linecount', 'nlines', 'numlines', 'maxlines')
  const start = fields.number('startline', 'linestart', 'start', 'startlineoneindexed')
  const end = fields.number('endline', 'lineend', 'end', 'endlineoneindexedinclusive')
  if (start !== null || end !== null) return lineRange({ start: start ?? 1, end, limit })
  const offset = fields.number('offset', 'lineoffset')
  if (offset !== null) {
    const first = options.offset === 'lines-skipped' ? offset + 1 : offset
    return lineRange({ start: first, limit })
  }
  const head = limit ?? fields.number('head')
  return head === null ? null : lineRange({ start: 1, limit: head })
}

/** A range from the given numbers; a negative or missing end means the end of the file. */
export function lineRange(given: {
  readonly start: number
  readonly end?: number | null
  readonly limit?: number | null
}): LineRange | null {
  const start = Math.max(1, given.start)
  if (given.end !== null && given.end !== undefined && given.end >= 0) {
    return given.end < start ? null : { start, end: given.end }
  }
  const limit = given.limit ?? null
  return { start, end: limit === null || limit <= 0 ? null : start + limit - 1 }
}
