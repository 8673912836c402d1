import { comparable } from './item.ts'
import type { Memory } from './memory.ts'
import { heardKey } from './state/event.ts'
import type { MemoryState } from './state/memory-state.ts'

export interface ForgetInput {
  readonly ids?: readonly string[]
  /** Every item and message that contains these words, whatever their case. */
  readonly search?: string
  /** Every item about this subject, attribute or category. */
  readonly subject?: string
}

/** What is meant by a wish to forget. */
export interface ForgetTarget {
  readonly items: readonly string[]
  /** The words of it, in small letters: whatever says them is a copy. */
  readonly words: readonly string[]
}

/** Shorter texts of items stand in much that has nothing to do with them: `tabs`, `use npm`. */
const leastTelling = 12

export function forgetTarget(
  state: MemoryState,
  { ids = [], search, subject }: ForgetInput,
): ForgetTarget {
  const items = new Set(ids.filter((id) => state.items.has(id)))
  const plain = search?.toLowerCase()
  const about = subject === undefined ? undefined : comparable(subject)
  for (const [id, { item }] of state.items) {
    if (plain !== undefined && JSON.stringify(Object.values(item)).toLowerCase().includes(plain))
      items.add(id)
    const names = [item.subject, item.attribute, item.category, item.value]
    if (
      about !== undefined &&
      names.some((name) => name !== undefined && comparable(name) === about)
    )
      items.add(id)
  }
  const words = [...items].flatMap((id) => {
    const entry = state.items.get(id)
    const quotes = entry?.reinforcements.map(({ source }) => source.quote) ?? []
    return [entry?.item.text, entry?.item.source.quote, ...quotes].flatMap((text) =>
      text === undefined || text.trim().length < leastTelling ? [] : [text.trim().toLowerCase()],
    )
  })
  if (plain !== undefined) words.push(plain)
  return { items: [...items], words: [...new Set(words)] }
}

/** Forgets what is meant, with every message that says the same words. Gives the names of the items that are gone. */
export function forgetMatching(memory: Memory, input: ForgetInput): readonly string[] {
  const { state } = memory
  const { items, words } = forgetTarget(state, input)
  const messages = [...state.heard.values()]
    .filter(({ text }) => words.some((said) => text.toLowerCase().includes(said)))
    .map(heardKey)
  return memory.forget(items, messages)
}
