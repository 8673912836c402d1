import type { Message } from '../core/words/item.ts'

/** The turn at which the user first spoke of `automata`, which switches reflection on; null when they did not. */
export function automataSince(history: readonly Message[]): number | null {
  for (const { items, role } of history) {
    if (role !== 'user') continue
    const said = items.find(({ kind, text }) => kind === 'text' && /\bautomata\b/i.test(text))
    if (said !== undefined) return said.turn
  }
  return null
}
