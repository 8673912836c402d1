/** How a rendition says where the original is. */
export function restoreHint(handle: string): string {
  return `context_restore ${handle}`
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
