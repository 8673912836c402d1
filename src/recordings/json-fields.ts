/** Plain guards over parsed JSON, for the readers of recordings. */

/** The value when it is a string that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A count of tokens or the like: a finite number of at least 0, else 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

/**
 * A recorded time in milliseconds since 1970. Recorders write text or numbers; a number's size tells its unit, from
 * seconds to nanoseconds. Text without a zone is taken as UTC, so that the machine's own does not matter.
 */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? timeOfText(value.trim()) : value
  if (typeof time !== 'number') return undefined
  const milliseconds = Math.round(time * unitOf(Math.abs(time)))
  return Math.abs(milliseconds) <= latestTime ? milliseconds : undefined
}

/** The last that a `Date` can hold. */
const latestTime = 8.64e15
const withoutZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

function timeOfText(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
  return Date.parse(withoutZone.test(text) ? `${text.replace(' ', 'T')}Z` : text)
}

/** Seconds, milliseconds, microseconds and nanoseconds of our time lie three digits apart. */
function unitOf(size: number): number {
  if (size >= 1e9 && size < 1e11) return 1e3
  if (size < 1e14) return 1
  return size < 1e17 ? 1e-3 : 1e-6
}

/** A call's input as the provider sees it: text stays as it is, anything else becomes JSON. */
export function inputText(input: unknown): string {
  return typeof input === 'string' ? input : jsonText(input)
}

/** The value as JSON; empty where it is none, or nested too deep to be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
