import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { ListDialect } from './dialect.ts'

/** A list as plain copies; null for elements that are not messages or cannot be read. */
export type PickedList =
  | { readonly kind: 'list'; readonly messages: readonly (JsonObject | null)[] }
  | { readonly kind: 'not-a-list' }

/** Copies the messages of a list. Never throws. */
export function pickList(dialect: ListDialect, source: readonly unknown[]): PickedList {
  const messages: (JsonObject | null)[] = []
  try {
    if (!Array.isArray(source)) return { kind: 'not-a-list' }
    for (let index = 0; index < source.length; index++) {
      messages.push(pickOne(dialect, source, index))
    }
  } catch {
    return { kind: 'not-a-list' }
  }
  return { kind: 'list', messages }
}

function pickOne(
  dialect: ListDialect,
  source: readonly unknown[],
  index: number,
): JsonObject | null {
  try {
    const picked = dialect.pick(source[index])
    return isJsonObject(picked) ? picked : null
  } catch {
    return null
  }
}
