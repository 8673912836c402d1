import type { RestoreTally } from '../core/session/restores.ts'
import type { Recording } from '../recordings/recording.ts'
import { createDecidedItems, type DecidedItem } from '../report/decided-items.ts'
import { logLines } from '../report/log-lines.ts'
import type { Session } from '../session/session.ts'
import { replay } from './replay.ts'

export interface SessionDecisions {
  /** Every item that was decided about, once, over all the histories of the session. */
  readonly items: readonly DecidedItem[]
  /** The log of the decisions, in their order. */
  readonly log: readonly string[]
  /** How often each kind of rendition was used, and how often its original was restored. */
  readonly restores: readonly RestoreTally[]
}

/**
 * Runs a recorded session again and returns what was decided. What `ranWith`, the session that pruned it while it ran,
 * decided in the same way is left out.
 */
export function sessionDecisions(
  recording: Recording,
  session: Session,
  ranWith?: Session,
): SessionDecisions {
  const live = new Set(
    ranWith === undefined ? [] : sessionDecisions(recording, ranWith).items.map(keyOf),
  )
  const decided = createDecidedItems()
  const log: string[] = []
  for (const step of replay(recording, session)) {
    if (step.kind !== 'request' || step.turn === null) continue
    const fresh = decided
      .observe(session.engine, step.turn)
      .filter((each) => !live.has(keyOf(each)))
    log.push(...logLines(fresh, session.engine))
  }
  const items = decided.all().filter((each) => !live.has(keyOf(each)))
  return { items, log, restores: session.engine.restores }
}

function keyOf({ item, decision }: DecidedItem): string {
  return `${item.handle} ${decision.rendition.how}`
}
