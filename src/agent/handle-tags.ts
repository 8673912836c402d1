import type { Engine } from '../core/engine.ts'
import { isProtectedFromAgent } from '../core/guard/agent-protection.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { Item, Message } from '../core/words/item.ts'
import type { Settings } from '../core/words/settings.ts'

/** A tool output with its handle, so that the agent can refer to it. */
export interface TaggedResult {
  readonly message: number
  readonly item: number
  readonly text: string
}

/** Smaller outputs get no handle, because the handle would cost more than pruning saves. */
export const taggedAboveTokens = 200

/** The text after an output. At most twelve tokens for handles of the usual length. */
export function handleTag(handle: string): string {
  return `\n[handle ${handle}]`
}

/**
 * The results that get a handle: large ones that are shown in full and that the agent may prune. Other renditions already
 * contain the handle. The same history and ledger always give the same tags.
 */
export function taggedResults(
  history: readonly Message[],
  changes: readonly ProjectedChange[],
  {
    settings,
    engine,
  }: { readonly settings: Settings; readonly engine: Pick<Engine, 'operationOf'> },
): readonly TaggedResult[] {
  const changed = new Set(changes.map(({ message, item }) => `${message} ${item}`))
  const tagged: TaggedResult[] = []
  for (const [message, { items }] of history.entries()) {
    for (const [at, item] of items.entries()) {
      if (!isLargeResult(item) || changed.has(`${message} ${at}`)) continue
      const operation = engine.operationOf(item)
      if (operation === undefined || isProtectedFromAgent(operation, settings)) continue
      tagged.push({ message, item: at, text: `${item.text}${handleTag(item.handle)}` })
    }
  }
  return tagged
}

function isLargeResult({ kind, opaque, tokens }: Item): boolean {
  return kind === 'result' && opaque !== true && tokens > taggedAboveTokens
}
