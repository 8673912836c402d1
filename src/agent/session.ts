import type { Engine } from '../core/engine.ts'
import type { Protection } from '../core/guard/guard.ts'
import type { RetentionScene } from '../core/guard/retention.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import type { Decision } from '../core/words/decision.ts'
import type { Item, Message } from '../core/words/item.ts'
import type { Settings } from '../core/words/settings.ts'

/** A conversation as the agent's own tools see it, between two requests. */
export interface AgentSession {
  readonly engine: Engine
  readonly settings: Settings
  readonly protection: Protection
  /** The messages of the last request, in its order. */
  readonly history: readonly Message[]
  /** The turn of that request. */
  readonly turn: number
  /** The context limit of the model in use, in tokens, where anybody knows it. */
  readonly contextLimit: number | null
  /** System prompt and tool definitions, in estimated tokens. */
  readonly prefixTokens: number
  /** What to multiply an estimate with for this model; see `Calibration`. */
  readonly factor: number
  /** Why the door could not show an item so; null when it can. */
  refusal?(place: ItemPlace, text: string | null): string | null
}

/** Where an item stands: position of its message in the request, and its own in the message. */
export interface ItemPlace {
  readonly message: number
  readonly item: number
}

export interface PlacedItem {
  readonly item: Item
  readonly place: ItemPlace
}

/** Every item of the conversation with its place. */
export function* placedItems({ history }: Pick<AgentSession, 'history'>): Iterable<PlacedItem> {
  for (const [message, { items }] of history.entries()) {
    for (const [at, item] of items.entries()) yield { item, place: { message, item: at } }
  }
}

/** Whether the user has not spoken since: the answer that the item is part of goes on. */
export function isLive(item: Item, { history }: Pick<AgentSession, 'history'>): boolean {
  const spoke = history.findLast(
    ({ role, items }) => role === 'user' && items.some(({ kind }) => kind === 'text'),
  )
  return spoke === undefined || item.index >= (spoke.items[0]?.index ?? 0)
}

/** The item as the model sees it now; null when it is left out whole. */
export function shownText(item: Item, { engine }: Pick<AgentSession, 'engine'>): string | null {
  const decision = engine.ledger.of(item.index)
  if (decision !== undefined) return decision.rendition.text
  return item.kind === 'marker' && item.opaque !== true ? null : item.text
}

/** What the item takes of the context now, in estimated tokens. */
export function shownTokens(item: Item, session: Pick<AgentSession, 'engine'>): number {
  const decision = session.engine.ledger.of(item.index)
  if (decision === undefined) return shownText(item, session) === null ? 0 : item.tokens
  const known = sizes.get(decision)
  if (known !== undefined) return known
  const size = estimateTokens(decision.rendition.text ?? '')
  sizes.set(decision, size)
  return size
}

/** Decisions never change, and are asked about at every request. */
const sizes = new WeakMap<Decision, number>()

/** What the ranks of items depend on, taken from the session. */
export function retentionScene({ engine, turn }: AgentSession): RetentionScene {
  const { ledger, files, tasks } = engine
  return { turn, ledger, files, tasks, operationOf: (item) => engine.operationOf(item) }
}
