import type { MessageDraft } from '../../core/words/item.ts'
import type { CallIndex } from '../body/call-index.ts'
import type { RequestRead } from '../format.ts'
import type { Place } from './dialect.ts'

/** A message together with what it was read from. */
export interface ReadMessage {
  readonly draft: MessageDraft
  readonly places: readonly Place[]
  /** All that the reading depended on, as it was then: hosts change their objects in place. */
  readonly picked: unknown
  /** What was known of the calls after it. */
  readonly calls: CallIndex
}

const stateKey: unique symbol = Symbol('palimpsest.list-state')

/** Puts what a read keeps to itself onto it, where no comparison, spread or JSON sees it. */
export function keepState(
  read: RequestRead<readonly unknown[]>,
  messages: readonly ReadMessage[],
): void {
  Object.defineProperty(read, stateKey, { value: messages, enumerable: false })
}

/** null for a read that did not come from here, such as one that was copied. */
export function stateOf(read: RequestRead<readonly unknown[]>): readonly ReadMessage[] | null {
  return (Reflect.get(read, stateKey) as readonly ReadMessage[] | undefined) ?? null
}
