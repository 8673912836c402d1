import type { Engine } from '../core/engine.ts'
import type { Protection } from '../core/guard/guard.ts'
import type { ImportanceView } from '../core/guard/importance.ts'
import type { Item, Message } from '../core/words/item.ts'
import type { Settings } from '../core/words/settings.ts'

/** A conversation between two requests, for the agent's own tools. */
export interface AgentSession {
  readonly engine: Engine
  readonly settings: Settings
  readonly protection: Protection
  /** The messages of the last request, in its order. */
  readonly history: readonly Message[]
  /** The turn of that request. */
  readonly turn: number
  /** The context limit of the model in tokens; null if unknown. */
  readonly contextLimit: number | null
  /** System prompt and tool definitions, in estimated tokens. */
  readonly prefixTokens: number
  /** The factor that corrects estimates for this model; see `Calibration`. */
  readonly factor: number
  /** Why the request cannot be written with this text; null if it can. */
  refusal?(place: ItemPlace, text: string | null): string | null
}

/** The position of an item: its message in the request, and its index in the message. */
export interface ItemPlace {
  readonly message: number
  readonly item: number
}

export interface PlacedItem {
  readonly item: Item
  readonly place: ItemPlace
}

/** Every item of the conversation with its position. */
export function* placedItems({ history }: Pick<AgentSession, 'history'>): Iterable<PlacedItem> {
  for (const [message, { items }] of history.entries()) {
    for (const [at, item] of items.entries()) yield { item, place: { message, item: at } }
  }
}

/** True if the item belongs to the current turn: the user has written no text since. */
export function isLive(item: Item, { history }: Pick<AgentSession, 'history'>): boolean {
  const spoke = history.findLast(
    ({ role, items }) => role === 'user' && items.some(({ kind }) => kind === 'text'),
  )
  return spoke === undefined || item.index >= (spoke.items[0]?.index ?? 0)
}

/** True for a tool result that the model has only just got, and may be about to use. */
export function isActive(item: Item, { turn }: Pick<AgentSession, 'turn'>): boolean {
  return item.kind === 'result' && item.turn + 1 >= turn
}

/** The current text of the item for the model; null if it is left out. */
export function shownText(item: Item, { engine }: Pick<AgentSession, 'engine'>): string | null {
  const decision = engine.ledger.of(item.index)
  if (decision !== undefined) return decision.rendition.text
  return item.kind === 'marker' && item.opaque !== true ? null : item.text
}

/** What the item takes of the context now, in estimated tokens. */
export function shownTokens(item: Item, session: Pick<AgentSession, 'engine'>): number {
  const shown = session.engine.ledger.shownTokens(item.index)
  return shown ?? (shownText(item, session) === null ? 0 : item.tokens)
}

/** The parts of the session that the importance of items depends on. */
export function importanceView({ engine, turn }: AgentSession): ImportanceView {
  const { ledger, files, tasks } = engine
  return { turn, ledger, files, tasks, operationOf: (item) => engine.operationOf(item) }
}
