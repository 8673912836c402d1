import type { How, Rendition } from '../words/decision.ts'

/**
 * A call with a shortened input. The input gets no new keys, because a model that copies earlier calls would send them to
 * the tool; the note about what was left out goes into the result instead.
 */
export function shorterInput(how: How, input: string, note: string): Rendition {
  return { how, text: `${input}\n${note}`, inputChars: input.length }
}

/** The text that is shown in the item itself, without the note. */
export function ownText({ text, inputChars }: Rendition): string | null {
  return text === null || inputChars === undefined ? text : text.slice(0, inputChars)
}

/** The note of a call's rendition, which is shown at the end of its result; null for all other renditions. */
export function noteOf({ text, inputChars }: Rendition): string | null {
  return text === null || inputChars === undefined ? null : text.slice(inputChars + 1)
}

/** A result's text with the note of its call. */
export function withNote(text: string, note: string): string {
  return text === '' ? note : `${text}\n${note}`
}
