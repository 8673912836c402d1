import type { How, Rendition } from '../words/decision.ts'

/**
 * A call that is shown with less input. The input keeps the keys of its tool and gets no other: a model that copies the
 * shape of earlier calls sends nothing that the tool does not know. What was left out is said in the result instead.
 */
export function shorterInput(how: How, input: string, note: string): Rendition {
  return { how, text: `${input}\n${note}`, inputChars: input.length }
}

/** What stands in the item's own place. */
export function ownText({ text, inputChars }: Rendition): string | null {
  return text === null || inputChars === undefined ? text : text.slice(0, inputChars)
}

/** What a call's rendition says at the end of the call's result; null for all other renditions. */
export function noteOf({ text, inputChars }: Rendition): string | null {
  return text === null || inputChars === undefined ? null : text.slice(inputChars + 1)
}

/** A result with the note of its call. */
export function withNote(text: string, note: string): string {
  return text === '' ? note : `${text}\n${note}`
}
