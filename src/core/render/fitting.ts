/** What a rendition needs to say where the original is. */
export interface Recall {
  readonly handle: string
  /** The tool or the command that brings originals back where the agent runs; null where there is none. */
  readonly restore: string | null
}

/** How a rendition says where the original is: `context_restore a1b2c3`, or the bare handle. */
export function restoreHint({ handle, restore }: Recall): string {
  return restore === null ? handle : `${restore} ${handle}`
}

/** The parts of a one-line rendition between brackets: what it was, why it is gone, how to get it back. */
export function bracketed(...parts: readonly string[]): string {
  let told = ''
  for (const part of parts) {
    if (part !== '') told = told === '' ? part : `${told} · ${part}`
  }
  return `[${told}]`
}

/**
 * The first of the texts that is shorter than the original, most telling first. null when there is none: what is that
 * short stays as it is.
 */
export function firstShorter(candidates: readonly string[], original: string): string | null {
  return candidates.find((text) => text !== '' && text.length < original.length) ?? null
}

/** A count as the documents write it: `45,231`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** How many lines a text has; a line break at its end opens no further one. */
export function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
