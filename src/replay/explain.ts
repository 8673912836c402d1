import { createUnderstanding, type UnderstandingOptions } from '../actions/understand.ts'
import type { Engine } from '../core/engine.ts'
import { type Importance, importanceOf } from '../core/guard/importance.ts'
import { type ExplainedNeed, explainNeed } from '../core/propose/retain/explain-need.ts'
import type { SessionRecord } from '../core/record/record.ts'
import { cutEnd, oneLine } from '../core/render/cut.ts'
import { describeOperation } from '../core/render/index.ts'
import { restoreHint } from '../core/render/marks.ts'
import { createOperations } from '../core/track/operations.ts'
import type { Item, ItemKind } from '../core/words/item.ts'
import type { Operation } from '../core/words/operation.ts'
import type { Recording } from '../recordings/recording.ts'
import type { Session } from '../session/session.ts'
import { type ItemLives, type LifeSpan, recordedLives } from './item-lives.ts'
import { finish, type Work } from './work.ts'

/** A short description of an item. */
export interface NamedItem {
  readonly handle: string
  readonly kind: ItemKind
  readonly turn: number
  readonly tokens: number
  /** What it is about: the operation of a call or result, else the beginning of its text. */
  readonly about: string
  readonly tool?: string
  readonly call?: string
}

/** How one item was shown over the session, and why. */
export interface ExplainedItem {
  readonly item: NamedItem
  readonly spans: readonly LifeSpan[]
  /** What replaced it, what replaced that, and so on. */
  readonly replacedBy: readonly NamedItem[]
  readonly replaces: readonly NamedItem[]
  /** How long it would be kept under pressure; null when the last request no longer has it. */
  readonly retention: Importance | null
  /** Why it was judged unlikely to be needed again. */
  readonly need?: ExplainedNeed
  /** What the agent calls to see it again. */
  readonly restore: string
}

export interface Explainer {
  readonly lives: ItemLives
  readonly engine: Engine
  readonly operations: ReadonlyMap<number, Operation>
}

/** Runs a session once, so that any of its items can be explained. */
export function explainerFor(
  recording: Recording,
  session: Session,
  options: Omit<UnderstandingOptions, 'cwd'> = {},
): Explainer {
  const lives = recordedLives(recording, session)
  const operations = finish(operationsIn(lives.record, { ...options, cwd: recording.cwd }))
  return { lives, engine: session.engine, operations }
}

/** The completed operations of a record, by the items of their calls and results. */
export function* operationsIn(
  { messages }: Pick<SessionRecord, 'messages'>,
  options: UnderstandingOptions,
): Work<ReadonlyMap<number, Operation>> {
  const completed = createOperations(createUnderstanding(options))
  const operations = new Map<number, Operation>()
  for (const message of messages) {
    yield
    for (const operation of completed.observe(message)) {
      operations.set(operation.call.index, operation)
      if (operation.result !== null) operations.set(operation.result.index, operation)
    }
  }
  return operations
}

/** null when no item has the handle. */
export function explainItem(explainer: Explainer, handle: string): ExplainedItem | null {
  const { lives } = explainer
  const item = lives.find(handle)
  if (item === undefined) return null
  const named = (each: Item): NamedItem => nameItem(explainer, each)
  const need = needOf(explainer, item)
  return {
    item: named(item),
    spans: lives.spansOf(item),
    replacedBy: lives.replacements(item).map(named),
    replaces: lives.replaced(item).map(named),
    retention: currentRetention(explainer, item),
    ...(need === null ? {} : { need }),
    restore: restoreHint({ handle: item.handle, restore: explainer.engine.restore }),
  }
}

/** What an item is about, in one line. */
export function aboutItem(item: Item, operations: ReadonlyMap<number, Operation>): string {
  const operation = operations.get(item.index)
  if (operation !== undefined) return describeOperation(operation)
  const said = item.kind === 'marker' && item.text === '' ? item.marker : item.text
  return cutEnd(oneLine(said), 80)
}

function nameItem({ operations }: Explainer, item: Item): NamedItem {
  const { handle, kind, turn, tokens } = item
  const about = aboutItem(item, operations)
  return {
    handle,
    kind,
    turn,
    tokens,
    about,
    ...(item.kind === 'call' || item.kind === 'result' ? { tool: item.tool, call: item.call } : {}),
  }
}

/** Asks about the item of the engine, because it counts turns from the beginning of its own history. */
function currentRetention({ engine, lives }: Explainer, item: Item): Importance | null {
  const own = engine.find(item.handle)
  const last = lives.spansOf(item).at(-1)
  if (own === undefined || last === undefined || last.shown === 'absent') return null
  const { ledger, files, tasks } = engine
  const operationOf = (each: Item): Operation | undefined => engine.operationOf(each)
  return importanceOf(own, { turn: lives.engineTurn, ledger, files, tasks, operationOf })
}

/** The judgement at the time when the short form was first shown. */
export function needOf(
  { lives, operations }: Pick<Explainer, 'lives' | 'operations'>,
  item: Item,
): ExplainedNeed | null {
  const span = lives.spansOf(item).find(({ decision }) => decision?.strategy === 'retention')
  const operation = operations.get(item.index)
  if (span === undefined || operation === undefined) return null
  return explainNeed(operation, span.from, lives.record.messages, operations)
}
