import type { Engine } from '../core/engine.ts'
import type { ProjectedChange } from '../core/project.ts'
import type { Item, Message } from '../core/record/item.ts'
import type { Settings } from '../core/settings.ts'

/** An output that shows its handle, so that the agent can name it. */
export interface TaggedResult {
  readonly message: number
  readonly item: number
  readonly text: string
}

/** Only outputs above this size show one: below, it would cost more than pruning could bring. */
export const taggedAboveTokens = 200

/** What is put behind an output. Never more than twelve tokens, for handles of the usual length. */
export function handleTag(handle: string): string {
  return `\n[handle ${handle}]`
}

/**
 * The results that get their handle put behind them: large ones that are shown in full and that the agent may prune.
 * What is shown otherwise has its handle in it. The same history and ledger give the same tags.
 */
export function taggedResults(
  history: readonly Message[],
  changes: readonly ProjectedChange[],
  {
    settings,
    engine,
  }: { readonly settings: Settings; readonly engine: Pick<Engine, 'operationOf'> },
): readonly TaggedResult[] {
  const changed = new Set(changes.map(({ decision }) => decision.item))
  const kept = new Set(settings.agentProtectedTools.map((tool) => tool.toLowerCase()))
  const tagged: TaggedResult[] = []
  for (const [message, { items }] of history.entries()) {
    for (const [at, item] of items.entries()) {
      if (item.kind !== 'result' || item.opaque === true || item.tokens <= taggedAboveTokens)
        continue
      if (changed.has(item.index) || kept.has(item.tool.toLowerCase())) continue
      if (engine.operationOf(item) === undefined) continue
      tagged.push({ message, item: at, text: taggedText(item) })
    }
  }
  return tagged
}

/** The same text every time: it goes into every request from then on. */
function taggedText(item: Item): string {
  const known = texts.get(item)
  if (known !== undefined) return known
  const text = `${item.text}${handleTag(item.handle)}`
  texts.set(item, text)
  return text
}

const texts = new WeakMap<Item, string>()
