import type { Message } from '../core/words/item.ts'

/** The turn of the first user message with the word `automata`, which turns reflection on; null if there is none. */
export function automataSince(history: readonly Message[]): number | null {
  for (const { items, role } of history) {
    if (role !== 'user') continue
    const said = items.find(({ kind, text }) => kind === 'text' && /\bautomata\b/i.test(text))
    if (said !== undefined) return said.turn
  }
  return null
}
