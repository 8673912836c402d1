import { estimateTokens } from '../../record/tokens.ts'
import type { Item, Message } from '../../words/item.ts'
import type { Scene } from '../strategy.ts'

/** How many tokens of the messages the model sees, kept up to date with what is new in the record and in the ledger. */
export interface ShownSize {
  observe(message: Message, scene: Scene): void
  tokens(scene: Scene): number
}

export function createShownSize(): ShownSize {
  const shown = new Map<number, number>()
  let total = 0
  let entriesRead = 0
  let nextLook = 64

  function set(index: number, tokens: number): void {
    total += tokens - (shown.get(index) ?? 0)
    shown.set(index, tokens)
  }

  function follow(scene: Scene): void {
    const { entries } = scene.ledger
    for (; entriesRead < entries.length; entriesRead++) {
      const entry = entries[entriesRead]
      if (entry?.kind !== 'decision' && entry?.kind !== 'revert') continue
      if (shown.has(entry.item)) set(entry.item, sizeNow(scene.item(entry.item), scene))
    }
  }

  /** Nothing says when the agent clears an item, so all are looked at each time that their number has grown by half. */
  function dropCleared(scene: Scene): void {
    if (shown.size < nextLook) return
    nextLook = Math.ceil(shown.size * 1.5)
    for (const [index, tokens] of shown) {
      if (tokens > 0 && !scene.isVisible(scene.item(index))) set(index, 0)
    }
  }

  return {
    observe(message, scene) {
      for (const item of message.items) set(item.index, sizeNow(item, scene))
    },
    tokens(scene) {
      follow(scene)
      dropCleared(scene)
      return total
    },
  }
}

function sizeNow(item: Item, scene: Scene): number {
  const decision = scene.ledger.of(item.index)
  if (decision === undefined) return item.tokens
  const { text } = decision.rendition
  return text === null ? 0 : estimateTokens(text)
}
