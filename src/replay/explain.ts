import { createUnderstanding, type UnderstandingOptions } from '../actions/understand.ts'
import type { Engine } from '../core/engine.ts'
import { type Retention, retentionOf } from '../core/guard/retention.ts'
import { type ExplainedNeed, explainNeed } from '../core/propose/retain/explain-need.ts'
import { cutEnd, oneLine } from '../core/render/cut.ts'
import { describeOperation } from '../core/render/index.ts'
import { restoreHint } from '../core/render/marks.ts'
import { createOperations } from '../core/track/operations.ts'
import type { Item, ItemKind } from '../core/words/item.ts'
import type { Operation } from '../core/words/operation.ts'
import type { Recording } from '../recordings/recording.ts'
import { type ItemLives, itemLives, type LifeSpan } from './item-lives.ts'

/** An item in a few words. */
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

/** The life of one item. */
export interface ExplainedItem {
  readonly item: NamedItem
  readonly spans: readonly LifeSpan[]
  /** What replaced it, what replaced that, and so on. */
  readonly replacedBy: readonly NamedItem[]
  readonly replaces: readonly NamedItem[]
  /** How long it would be kept under pressure; null when the last request no longer has it. */
  readonly retention: Retention | null
  /** Why it was taken for one that will not be needed again, when it was. */
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
  engine: Engine,
  options: Omit<UnderstandingOptions, 'cwd'> = {},
): Explainer {
  const lives = itemLives(recording, engine)
  const completed = createOperations(createUnderstanding({ ...options, cwd: recording.cwd }))
  const operations = new Map<number, Operation>()
  for (const message of lives.record.messages) {
    for (const operation of completed.observe(message)) {
      operations.set(operation.call.index, operation)
      if (operation.result !== null) operations.set(operation.result.index, operation)
    }
  }
  return { lives, engine, operations }
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

function nameItem({ operations }: Explainer, item: Item): NamedItem {
  const operation = operations.get(item.index)
  const { handle, kind, turn, tokens } = item
  const said = item.kind === 'marker' && item.text === '' ? item.marker : item.text
  const about = operation === undefined ? cutEnd(oneLine(said), 80) : describeOperation(operation)
  return {
    handle,
    kind,
    turn,
    tokens,
    about,
    ...(item.kind === 'call' || item.kind === 'result' ? { tool: item.tool, call: item.call } : {}),
  }
}

/** The engine counts turns from the beginning of the history that it sees, so it is asked about its own item. */
function currentRetention({ engine, lives }: Explainer, item: Item): Retention | null {
  const own = engine.find(item.handle)
  const last = lives.spansOf(item).at(-1)
  if (own === undefined || last === undefined || last.shown === 'absent') return null
  const { ledger, files, tasks, operationOf } = engine
  return retentionOf(own, { turn: lives.engineTurn, ledger, files, tasks, operationOf })
}

/** Asked as it was when the short form was first shown. */
function needOf({ lives, operations }: Explainer, item: Item): ExplainedNeed | null {
  const span = lives.spansOf(item).find(({ decision }) => decision?.strategy === 'retention')
  const operation = operations.get(item.index)
  if (span === undefined || operation === undefined) return null
  return explainNeed(operation, span.from, lives.record.messages, operations)
}
