import { type AgentSession, type PlacedItem, placedItems } from './session.ts'

export type FoundItem =
  | ({ readonly kind: 'found' } & PlacedItem)
  | { readonly kind: 'unknown' }
  /** Several handles start with the given digits. */
  | { readonly kind: 'ambiguous'; readonly handles: readonly string[] }

const handleDigits = /(?<![0-9a-z])[0-9a-f]{4,}(?![0-9a-z])/i

/** Finds the handle in a text of the model, with or without brackets and words around it. */
export function handleIn(text: string): string | null {
  return handleDigits.exec(text)?.[0].toLowerCase() ?? null
}

/** The line range in the handle of folded lines: `40-80` of `a1b2c3:40-80`. */
export function foldedLinesIn(text: string): string | null {
  return /(?<![0-9a-f])[0-9a-f]{4,}:(\d+-\d+)(?!\d)/i.exec(text)?.[1] ?? null
}

/** Finds an item by its handle, or by the first four or more digits if they are unique. */
export function findItem(session: Pick<AgentSession, 'history'>, handle: string): FoundItem {
  const wanted = handle.toLowerCase()
  const begun: PlacedItem[] = []
  for (const placed of placedItems(session)) {
    if (placed.item.handle === wanted) return { kind: 'found', ...placed }
    if (wanted.length >= 4 && placed.item.handle.startsWith(wanted)) begun.push(placed)
  }
  const [first, ...others] = begun
  if (first === undefined) return { kind: 'unknown' }
  if (others.length === 0) return { kind: 'found', ...first }
  return { kind: 'ambiguous', handles: begun.map(({ item }) => item.handle) }
}
