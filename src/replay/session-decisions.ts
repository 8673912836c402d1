import type { Engine } from '../core/engine.ts'
import type { Recording } from '../recordings/recording.ts'
import { createDecidedItems, type DecidedItem } from '../report/decided-items.ts'
import { logLine } from '../report/log-lines.ts'
import { replay } from './replay.ts'

export interface SessionDecisions {
  /** Every item that was decided about, once, over all the histories of the session. */
  readonly items: readonly DecidedItem[]
  /** The log of the decisions, in their order. */
  readonly log: readonly string[]
}

/**
 * Runs a recorded session through an engine, and gives what it decided. What `ranWith`, the engine that pruned the session
 * while it ran, decided in the same way is left out.
 */
export function sessionDecisions(
  recording: Recording,
  engine: Engine,
  ranWith?: Engine,
): SessionDecisions {
  const live = new Set(
    ranWith === undefined ? [] : sessionDecisions(recording, ranWith).items.map(keyOf),
  )
  const decided = createDecidedItems()
  const log: string[] = []
  for (const step of replay(recording, engine)) {
    if (step.kind !== 'request' || step.engine === null) continue
    for (const each of decided.observe(engine, step.engine))
      if (!live.has(keyOf(each))) log.push(logLine(each, engine))
  }
  return { items: decided.all().filter((each) => !live.has(keyOf(each))), log }
}

function keyOf({ item, decision }: DecidedItem): string {
  return `${item.handle} ${decision.rendition.how}`
}
