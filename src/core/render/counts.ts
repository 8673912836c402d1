import { countLineBreaks } from '../words/text.ts'

/** A count with thousands separators: `45,231`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The number of lines of a text; a line break at its end does not start another line. */
export function countLines(text: string): number {
  if (text === '') return 0
  const breaks = countLineBreaks(text)
  return text.endsWith('\n') ? breaks : breaks + 1
}
