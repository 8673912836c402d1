import type { Usage } from '../core/words/item.ts'
import { jsonText, textOf, timeOf } from './json-fields.ts'

/** The id, or undefined where there is none or a redactor overwrote it: such an id identifies nothing. */
export function identityOf(value: unknown): string | undefined {
  const id = textOf(value)
  return id === undefined || id.includes('REDACTED') ? undefined : id
}

/** What a tool gave back, as text: nothing is the empty string, anything but a string becomes JSON. */
export function outputText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : jsonText(value)
}

/** Like `timeOf`, for recorders that write seconds. */
export function timeOfSeconds(value: unknown): number | undefined {
  return typeof value === 'number' ? timeOf(Math.round(value * 1000)) : timeOf(value)
}

/** Figures of an answer, or undefined when all are zero: agents write zeros for requests that never came back. */
export function usageOf(figures: Usage): Usage | undefined {
  const { input, output, cacheRead, cacheWrite } = figures
  return input + output + cacheRead + cacheWrite > 0 ? figures : undefined
}

/** The whole numbers from `start` up to but not including `end`. */
export function numbersFrom(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
}
