import { parseJsonObject } from '../../core/words/json.ts'
import type { Body, RequestRead } from '../format.ts'
import { asBuffer } from '../json/document.ts'
import { type Edit, splice } from '../json/splice.ts'
import type { TextInsertion } from '../wire.ts'
import { stateOf } from './body-state.ts'

/** A text to insert next to a message of the outgoing request. */
export interface InsertedText {
  readonly message: number
  readonly side: 'before' | 'behind'
  readonly text: string
}

/**
 * Inserts texts next to messages of a body, with the user's role. Returns null if the body's shape does not allow it, or
 * if two texts would go into one message.
 */
export function insertTexts(
  insertion: TextInsertion,
  sent: RequestRead<Body>,
  texts: readonly InsertedText[],
): Body | null {
  const state = stateOf(sent)
  if (state === null || !state.resumable) return null
  const edits: Edit[] = []
  for (const inserted of texts) {
    const { message, side, text } = inserted
    const found = state.messages[message]
    const last = found && found.firstElement + found.elementCount - 1
    const element = state.elements[(side === 'before' ? found?.firstElement : last) ?? -1]
    if (element === undefined) return null
    const { start, end } = element
    const hasResults = found?.draft.items.some(({ kind }) => kind === 'result') === true
    const mayJoin = side === 'before' || !hasResults || insertion.join?.behindResults === true
    const spelling = textBetween(sent.source, start, end)
    const joined = mayJoin ? joinText(insertion, spelling, inserted) : null
    if (joined !== null) edits.push({ start, end, text: joined })
    else {
      const json = JSON.stringify(insertion.message(text))
      const at = side === 'before' ? start : end
      edits.push({ start: at, end: at, text: side === 'before' ? `${json},` : `,${json}` })
    }
  }
  return overlap(edits) ? null : splice(sent.source, edits)
}

/** The message with the text added; null if that is not possible. */
function joinText(
  { join }: TextInsertion,
  element: string,
  { side, text }: InsertedText,
): string | null {
  const message = join === null ? null : parseJsonObject(element)
  if (join === null || message === null) return null
  const content = message[join.member]
  const withContent = (joined: unknown): string =>
    JSON.stringify({ ...message, [join.member]: joined })
  if (Array.isArray(content)) {
    const part = join.part(text)
    return withContent(side === 'before' ? [part, ...content] : [...content, part])
  }
  if (typeof content !== 'string') return null
  return withContent(side === 'before' ? `${text}\n\n${content}` : `${content}\n\n${text}`)
}

function textBetween(source: Body, start: number, end: number): string {
  return typeof source === 'string'
    ? source.slice(start, end)
    : asBuffer(source).toString('utf8', start, end)
}

function overlap(edits: readonly Edit[]): boolean {
  const ordered = edits.toSorted((a, b) => a.start - b.start || a.end - b.end)
  return ordered.some(({ start }, index) => start < (ordered[index - 1]?.end ?? 0))
}
