import { estimateTokens } from '../../record/tokens.ts'
import type { Item, Message } from '../../words/item.ts'
import { LedgerCursor } from '../../words/ledger.ts'
import type { View } from '../strategy.ts'

/** How many tokens of the messages the model sees, updated from new messages and ledger entries. */
export interface ShownSize {
  observe(message: Message, view: View): void
  tokens(view: View): number
}

export function createShownSize(): ShownSize {
  const shown = new Map<number, number>()
  let total = 0
  const cursor = new LedgerCursor()
  let nextCheck = 64

  function set(index: number, tokens: number): void {
    total += tokens - (shown.get(index) ?? 0)
    shown.set(index, tokens)
  }

  function follow(view: View): void {
    for (const entry of cursor.take(view.decisions)) {
      if (entry.kind !== 'decision' && entry.kind !== 'revert') continue
      if (shown.has(entry.item)) set(entry.item, sizeNow(view.item(entry.item), view))
    }
  }

  /** Agents clear items without notice, so all items are checked each time their number has grown by half. */
  function dropCleared(view: View): void {
    if (shown.size < nextCheck) return
    nextCheck = Math.ceil(shown.size * 1.5)
    for (const [index, tokens] of shown) {
      if (tokens > 0 && !view.isVisible(view.item(index))) set(index, 0)
    }
  }

  return {
    observe(message, view) {
      for (const item of message.items) set(item.index, sizeNow(item, view))
    },
    tokens(view) {
      follow(view)
      dropCleared(view)
      return total
    },
  }
}

function sizeNow(item: Item, view: View): number {
  const decision = view.decisions.of(item.index)
  if (decision === undefined) return item.tokens
  const { text } = decision.rendition
  return text === null ? 0 : estimateTokens(text)
}
