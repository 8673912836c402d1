import type { Usage } from '../core/words/item.ts'
import { arrayOf, objectOf } from '../core/words/json.ts'

/** The value if it is a non-empty string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value if it is a finite number above 0, else 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

/**
 * A recorded time in milliseconds since 1970. The unit of a number, from seconds to nanoseconds, is guessed from its
 * size. Text without a time zone is taken as UTC, so the result does not depend on the machine.
 */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? timeOfText(value.trim()) : value
  if (typeof time !== 'number') return undefined
  const milliseconds = Math.round(time * unitOf(Math.abs(time)))
  return Math.abs(milliseconds) <= latestTime ? milliseconds : undefined
}

/** The largest time that a `Date` can hold. */
const latestTime = 8.64e15
const withoutZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

function timeOfText(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
  return Date.parse(withoutZone.test(text) ? `${text.replace(' ', 'T')}Z` : text)
}

/** The factor to milliseconds: current times in seconds, ms, µs and ns differ by three digits each. */
function unitOf(size: number): number {
  if (size >= 1e9 && size < 1e11) return 1e3
  if (size < 1e14) return 1
  return size < 1e17 ? 1e-3 : 1e-6
}

/** A call's input as the provider sees it: text stays as it is, anything else becomes JSON. */
export function inputText(input: unknown): string {
  return typeof input === 'string' ? input : jsonText(input)
}

/** The value as JSON; empty if it has no JSON form or is nested too deep. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** The id, or undefined if there is none or it was redacted: many redacted ids are the same word. */
export function identityOf(value: unknown): string | undefined {
  const id = textOf(value)
  return id === undefined || id.includes('REDACTED') ? undefined : id
}

/** A tool's output as text. Missing output is the empty string; anything but a string becomes JSON. */
export function outputText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : jsonText(value)
}

/** Like `timeOf`, for numbers that are known to be seconds. */
export function timeOfSeconds(value: unknown): number | undefined {
  return typeof value === 'number' ? timeOf(Math.round(value * 1000)) : timeOf(value)
}

/** The usage, or undefined if all counts are zero: agents write zeros for requests without a response. */
export function nonZeroUsage(usage: Usage): Usage | undefined {
  const { input, output, cacheRead, cacheWrite } = usage
  return input + output + cacheRead + cacheWrite > 0 ? usage : undefined
}

/** The whole numbers from `start` up to but not including `end`. */
export function numbersFrom(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
}

/** The text of a content that is a string or a list of blocks, without separators. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return arrayOf(content)
    .map((block) => (typeof block === 'string' ? block : (textOf(objectOf(block).text) ?? '')))
    .join('')
}
