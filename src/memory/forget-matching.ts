import { comparable } from './item.ts'
import type { Memory } from './memory.ts'
import { heardKey } from './state/event.ts'

export interface ForgetInput {
  readonly ids?: readonly string[]
  /** Every item and message that contains these words, whatever their case. */
  readonly search?: string
  /** Every item about this subject, attribute or category. */
  readonly subject?: string
}

/** Forgets what is meant, with every message that says the same words. Gives the names of the items that are gone. */
export function forgetMatching(
  memory: Memory,
  { ids = [], search, subject }: ForgetInput,
): readonly string[] {
  const { state } = memory
  const items = new Set(ids)
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
    const item = state.items.get(id)?.item
    return [item?.text, item?.source.quote].flatMap((text) =>
      text === undefined ? [] : [text.toLowerCase()],
    )
  })
  if (plain !== undefined) words.push(plain)
  const messages = [...state.heard.values()]
    .filter(({ text }) => words.some((said) => text.toLowerCase().includes(said)))
    .map(heardKey)
  return memory.forget([...items], messages)
}
