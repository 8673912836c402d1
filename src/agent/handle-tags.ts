import type { Engine } from '../core/engine.ts'
import { isProtectedFromAgent } from '../core/guard/agent-protection.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { Item, Message } from '../core/words/item.ts'
import type { Settings } from '../core/words/settings.ts'

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
  const changed = new Set(changes.map(({ message, item }) => `${message} ${item}`))
  const tagged: TaggedResult[] = []
  for (const [message, of] of history.entries()) {
    for (const at of largeResults(of)) {
      const item = of.items[at]
      if (item?.kind !== 'result' || changed.has(`${message} ${at}`)) continue
      const operation = engine.operationOf(item)
      if (operation === undefined || isProtectedFromAgent(operation, settings)) continue
      tagged.push({ message, item: at, text: taggedText(item) })
    }
  }
  return tagged
}

/** The positions of results that are large enough. Messages never change, and are asked about at every request. */
function largeResults(message: Message): readonly number[] {
  const known = large.get(message)
  if (known !== undefined) return known
  const found = message.items.flatMap(({ kind, opaque, tokens }, at) =>
    kind === 'result' && opaque !== true && tokens > taggedAboveTokens ? [at] : [],
  )
  large.set(message, found)
  return found
}

const large = new WeakMap<Message, readonly number[]>()

/** The same text every time: it goes into every request from then on. */
function taggedText(item: Item): string {
  const known = texts.get(item)
  if (known !== undefined) return known
  const text = `${item.text}${handleTag(item.handle)}`
  texts.set(item, text)
  return text
}

const texts = new WeakMap<Item, string>()
