import { isJsonObject } from '../core/words/json.ts'
import { stateOf } from '../formats/body/body-state.ts'
import type { Body, BodyFormatName, RequestRead } from '../formats/format.ts'
import { asBuffer } from '../formats/json/document.ts'

/** A text of ours beside a message, counted in the request as it goes out. */
export interface InsertedText {
  readonly message: number
  readonly side: 'before' | 'behind'
  readonly text: string
}

interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Puts texts beside messages of a body, as the user's; null where its shape has no place for them. */
export function insertTexts(
  format: BodyFormatName,
  sent: RequestRead<Body>,
  texts: readonly InsertedText[],
): Body | null {
  const state = stateOf(sent)
  if (state === null || !state.resumable) return null
  const { source } = sent
  const splices: Splice[] = []
  for (const { message, side, text } of texts) {
    const found = state.messages[message]
    const last = found && found.firstElement + found.elementCount - 1
    const element = state.elements[(side === 'before' ? found?.firstElement : last) ?? -1]
    if (element === undefined) return null
    const { start, end } = element
    const merged = mergesInto(format, sent, message, side)
      ? withText(format, textBetween(source, start, end), side, text)
      : null
    if (merged !== null) splices.push({ start, end, text: merged })
    else {
      const json = JSON.stringify(ownMessage(format, text))
      const at = side === 'before' ? start : end
      splices.push({ start: at, end: at, text: side === 'before' ? `${json},` : `,${json}` })
    }
  }
  return spliced(source, splices)
}

/**
 * Anthropic joins messages of one role and Responses has no turns; the others, and servers that follow their shape, want roles to
 * alternate, so that the text goes into the message itself.
 */
function mergesInto(
  format: BodyFormatName,
  { messages }: RequestRead<Body>,
  message: number,
  side: InsertedText['side'],
): boolean {
  if (format === 'gemini') return true
  if (format !== 'openai-chat') return false
  const items = messages[message]?.items ?? []
  return side === 'before' || !items.some(({ kind }) => kind === 'result')
}

function withText(
  format: BodyFormatName,
  element: string,
  side: InsertedText['side'],
  text: string,
): string | null {
  const parsed: unknown = JSON.parse(element)
  if (!isJsonObject(parsed)) return null
  const name = format === 'gemini' ? 'parts' : 'content'
  const part = format === 'gemini' ? { text } : { type: 'text', text }
  const content = parsed[name]
  const joined = (one: readonly unknown[]): unknown =>
    side === 'before' ? [part, ...one] : [...one, part]
  if (Array.isArray(content)) return JSON.stringify({ ...parsed, [name]: joined(content) })
  if (typeof content !== 'string') return null
  const both = side === 'before' ? `${text}\n\n${content}` : `${content}\n\n${text}`
  return JSON.stringify({ ...parsed, [name]: both })
}

function ownMessage(format: BodyFormatName, text: string): object {
  switch (format) {
    case 'anthropic':
      return { role: 'user', content: [{ type: 'text', text }] }
    case 'openai-chat':
      return { role: 'user', content: text }
    case 'openai-responses':
      return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    case 'gemini':
      return { role: 'user', parts: [{ text }] }
  }
}

function textBetween(source: Body, start: number, end: number): string {
  return typeof source === 'string'
    ? source.slice(start, end)
    : asBuffer(source).toString('utf8', start, end)
}

/** In the order of the body; what stands at one place keeps the order in which it was given. */
function spliced(source: Body, splices: readonly Splice[]): Body | null {
  const ordered = splices.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const parts: (string | Uint8Array)[] = []
  let from = 0
  for (const { start, end, text } of ordered) {
    // Two texts in one message: the caller joins them.
    if (start < from) return null
    parts.push(source.slice(from, start), text)
    from = end
  }
  parts.push(source.slice(from))
  if (typeof source === 'string') return parts.join('')
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : asBuffer(part))),
  )
}
