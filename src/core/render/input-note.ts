import type { How, Rendition } from '../words/decision.ts'
import { bracketed } from './fitting.ts'

const leftOut = 'input left out'
const replacedText = 'replaced text left out'
export const fullDiff = '[Full diff available in ground truth]'

/** The line that says where the input of a call is that was stripped. */
export function inputNote(hint: string): string {
  return bracketed(leftOut, hint)
}

/** The same of a call that keeps what it put into its file. */
export function replacedTextNote(hint: string): string {
  return bracketed(replacedText, hint)
}

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

const noteLine = new RegExp(`^\\[(?:${leftOut}|${replacedText}) · [^\\n]*[0-9a-f]{6,}\\]$`)

/** Where the note of a call begins in a result that comes back as it was shown; -1 when there is none. */
function noteStart(text: string): number {
  if (!text.endsWith(']')) return -1
  const line = text.lastIndexOf('\n') + 1
  if (text.startsWith(fullDiff, line)) return text.lastIndexOf('\n[Edits to ') + 1
  return noteLine.test(text.slice(line)) ? line : -1
}

export function endsInNote(text: string): boolean {
  return noteStart(text) !== -1
}

/** The result without the note of its call. */
export function withoutNote(text: string): string {
  const start = noteStart(text)
  return start === -1 ? text : text.slice(0, Math.max(0, start - 1))
}
