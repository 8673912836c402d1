import type { MessageDraft, Usage } from '../core/words/item.ts'
import { isJsonObject } from '../core/words/json.ts'
import type { RequestRead } from '../formats/format.ts'
import { opencode } from '../formats/opencode/index.ts'
import { restoredCounts } from '../report/request-receipt.ts'
import type { TurnReceipt } from '../session/session.ts'
import type { Receipt } from '../store/store.ts'
import { providerName } from './message-facts.ts'
import type { ModelInUse } from './model-in-use.ts'

/** A request as it was sent. Sizes are without the system prompt and the tools, which the host names later. */
export interface SentList {
  readonly at: number
  readonly read: RequestRead<readonly unknown[]>
  readonly turn: TurnReceipt
  readonly tokens: { readonly before: number; readonly after: number }
  /** Why the list stayed as it was. */
  readonly bypass: string | null
}

/** What the host reported about the end of an answer. */
export interface EndedAnswer {
  readonly session: string
  readonly id: string
  readonly usage: Usage | null
  readonly error: string | null
}

/**
 * Makes the receipts of a conversation's requests, as the gateway makes them. A receipt is ready when the answer ended;
 * the host may not report that, so that the next list shows it too.
 */
export class RequestReceipts {
  #sent: SentList | null = null

  /** A list is about to be sent. Returns the receipt of the one before, if it is still open. */
  begin(sent: SentList, model: ModelInUse): readonly Receipt[] {
    const before = this.#sent
    this.#sent = sent
    // The host sends the same list again when a connection failed.
    if (before === null || sent.turn.relation === 'same') return []
    const answer: MessageDraft | undefined = sent.read.messages[before.read.messages.length]
    const usage = answer?.role === 'assistant' ? (answer.usage ?? null) : null
    return [receiptOf(before, model, { usage, error: null })]
  }

  /** An answer ended. Returns the receipt of its request; nothing for an answer that the last list had already. */
  end({ id, usage, error }: EndedAnswer, model: ModelInUse): readonly Receipt[] {
    const sent = this.#sent
    if (sent === null || sent.read.messages.some((message) => message.id === id)) return []
    this.#sent = null
    return [receiptOf(sent, model, { usage, error })]
  }

  /** The host ends before it reported the last answer. */
  close(model: ModelInUse): readonly Receipt[] {
    const sent = this.#sent
    this.#sent = null
    return sent === null ? [] : [receiptOf(sent, model, { usage: null, error: null })]
  }
}

function receiptOf(
  { at, read, turn, tokens, bypass }: SentList,
  { prefixTokens, toolTokens }: ModelInUse,
  { usage, error }: Pick<EndedAnswer, 'usage' | 'error'>,
): Receipt {
  const restored = restoredCounts(turn.restored)
  return {
    kind: 'request',
    at,
    agent: 'opencode',
    model: read.model,
    turn: turn.turn,
    bypass,
    tokens: { before: tokens.before + prefixTokens, after: tokens.after + prefixTokens },
    prefix: { system: prefixTokens - toolTokens, tools: toolTokens },
    opened: turn.epoch?.reason ?? null,
    usage,
    ...(Object.keys(restored).length === 0 ? {} : { restored }),
    ...(turn.relation === 'grown' ? {} : { relation: turn.relation }),
    ...(error === null ? {} : { error }),
  }
}

/** The end of an answer in an event of the host; null for every other event. */
export function endedAnswer(event: unknown): EndedAnswer | null {
  if (!isJsonObject(event) || event.type !== 'message.updated') return null
  const info = isJsonObject(event.properties) ? event.properties.info : undefined
  if (!isJsonObject(info) || info.role !== 'assistant' || info.summary === true) return null
  if (!isJsonObject(info.time) || typeof info.time.completed !== 'number') return null
  const { id, sessionID: session, error } = info
  if (typeof id !== 'string' || typeof session !== 'string' || info.providerID === providerName)
    return null
  const [answer] = opencode.read([{ info, parts: [] }]).messages
  const name = isJsonObject(error) && typeof error.name === 'string' ? error.name : null
  return { session, id, usage: answer?.usage ?? null, error: name }
}
