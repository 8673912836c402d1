import { judge } from '../core/guard/guard.ts'
import { importanceOf } from '../core/guard/importance.ts'
import { firstShorter } from '../core/render/cut.ts'
import { placeholderFor, strippedInput } from '../core/render/index.ts'
import { ownText } from '../core/render/input-note.ts'
import {
  bareHandle,
  bracketed,
  briefReasons,
  distilledReasoning,
  placeholder,
  type Recall,
  restoreHint,
} from '../core/render/marks.ts'
import type { Reason, Rendition } from '../core/words/decision.ts'
import type { Item } from '../core/words/item.ts'
import type { Operation } from '../core/words/operation.ts'
import {
  type AgentSession,
  importanceView,
  isActive,
  isLive,
  type PlacedItem,
  shownTokens,
} from './session.ts'

/** Who asked for the pruning; `pressure` is an automatic trigger. */
export type Asker = Extract<Reason, 'agent' | 'user' | 'pressure'>

/** The outcome for one item. */
export type ItemOutcome =
  | { readonly kind: 'pruned'; readonly tokens: number }
  | { readonly kind: 'already pruned' }
  | { readonly kind: 'protected'; readonly why: string }

export interface PruneItemOptions {
  readonly asker: Asker
  /** The text that replaces the item; null for a placeholder. */
  readonly summary: string | null
}

const strategies: Readonly<Record<Asker, string>> = {
  agent: 'context_prune',
  user: 'context_prune',
  pressure: 'triggers',
}
const final: ReadonlySet<string> = new Set(['superseded', 'discarded', 'distilled'])

/**
 * Replaces an item with its summary or a placeholder from the next request on. A call is pruned with its result. The
 * outcome is `pruned` only if the ledger accepted the decision and the request can be written that way.
 */
export function pruneItem(
  session: AgentSession,
  placed: PlacedItem,
  options: PruneItemOptions,
): ItemOutcome {
  const { engine } = session
  const operation = engine.operationOf(placed.item)
  const item = operation?.result ?? placed.item
  const place = item === placed.item ? placed.place : placeOf(session, item)
  if (place === null) return { kind: 'protected', why: 'it has not completed' }
  const standing = engine.ledger.of(item.index)
  if (standing !== undefined && final.has(standing.rendition.how)) return { kind: 'already pruned' }
  const recall = { handle: item.handle, restore: engine.restore }
  const rendition = renditionOf(item, operation, { ...options, recall })
  return show(session, { item, place }, rendition, { asker: options.asker, operation })
}

interface ShowOptions {
  readonly asker: Asker
  readonly operation?: Operation | undefined
}

/** Asks the engine for a rendition and returns the outcome. */
export function show(
  session: AgentSession,
  { item, place }: PlacedItem,
  rendition: Rendition,
  { asker, operation }: ShowOptions,
): ItemOutcome {
  const { engine } = session
  const why =
    vetoOf(session, item, rendition, asker) ??
    whyKept(session, item, asker) ??
    session.refusal?.(place, rendition.text) ??
    null
  if (why !== null) return { kind: 'protected', why }
  const before = shownTokens(item, session)
  const inputBefore = operation === undefined ? 0 : shownTokens(operation.call, session)
  if (!engine.ask(item.handle, { rendition, reason: asker, strategy: strategies[asker] })) {
    return { kind: 'protected', why: 'it cannot be shown otherwise now' }
  }
  stripInput(session, operation, asker)
  const inputAfter = operation === undefined ? 0 : shownTokens(operation.call, session)
  return { kind: 'pruned', tokens: before - shownTokens(item, session) + inputBefore - inputAfter }
}

/** Shortens the input of a call whose result was pruned. */
function stripInput(session: AgentSession, operation: Operation | undefined, asker: Asker): void {
  if (operation === undefined || !session.settings.pruneToolInputs) return
  const { engine } = session
  const isWhole = engine.ledger.of(operation.call.index) === undefined
  const rendition = isWhole ? strippedInput(operation, engine.restore) : null
  const place = rendition === null ? null : placeOf(session, operation.call)
  if (rendition === null || place === null) return
  if ((session.refusal?.(place, ownText(rendition)) ?? null) !== null) return
  engine.ask(operation.call.handle, { rendition, reason: asker, strategy: 'pruneToolInputs' })
}

function vetoOf(
  session: AgentSession,
  item: Item,
  rendition: Rendition,
  asker: Asker,
): string | null {
  const { engine, settings, protection, turn } = session
  const verdict = judge({
    proposal: {
      kind: 'show',
      item,
      rendition,
      reason: asker,
      strategy: strategies[asker],
      by: null,
    },
    operation: engine.operationOf(item),
    decisions: engine.ledger,
    turn,
    mayDrop: settings.schedule === 'eager',
    isLive: isLive(item, session),
    settings,
    protection,
  })
  if (verdict.kind === 'veto') return verdict.why
  return verdict.kind === 'later' ? `it is recent: from turn ${verdict.turn} on` : null
}

/** The user may discard what is in use and what a task names as critical; the agent may not. */
function whyKept(session: AgentSession, item: Item, asker: Asker): string | null {
  if (asker !== 'agent') return null
  if (isActive(item, session)) return 'it came with the newest request'
  const isCritical = importanceOf(item, importanceView(session)) === 'critical'
  return isCritical ? 'a 🔴 task names it, which is never pruned' : null
}

function renditionOf(
  item: Item,
  operation: Operation | undefined,
  { asker, summary, recall }: PruneItemOptions & { readonly recall: Recall },
): Rendition {
  if (item.kind === 'reasoning') {
    if (item.binding !== 'plain') return { how: 'discarded', text: null }
    // Providers reject plain reasoning that is missing or empty.
    return summary === null
      ? { how: 'discarded', text: distilledReasoning }
      : { how: 'distilled', text: summary }
  }
  const hint = restoreHint(recall)
  if (summary !== null) {
    const full = `${summary}\n${bracketed('distilled', hint)}`
    const text = firstShorter([full, `${summary}\n[${item.handle}]`], item.text) ?? full
    return { how: 'distilled', text }
  }
  if (operation !== undefined) {
    return { how: 'discarded', text: placeholderFor(operation, null, asker, recall) }
  }
  const why = briefReasons[asker]
  const bare = bareHandle.write(item.handle)
  const candidates = [placeholder.write('message', why, hint), placeholder.write('', why, hint)]
  return { how: 'discarded', text: firstShorter(candidates, item.text) ?? bare }
}

function placeOf(session: AgentSession, wanted: Item): PlacedItem['place'] | null {
  const message = session.history.findIndex(({ index }) => index === wanted.message)
  const item = session.history[message]?.items.findIndex(({ index }) => index === wanted.index)
  return item === undefined || item === -1 ? null : { message, item }
}
