import type { MessageDraft } from '../../core/words/item.ts'
import type { CallIndex } from '../body/call-index.ts'
import type { RequestRead } from '../format.ts'
import type { Place } from './dialect.ts'

/** A message together with its source. */
export interface ReadMessage {
  readonly draft: MessageDraft
  readonly places: readonly Place[]
  /** A copy of everything that reading depended on, because hosts change their objects in place. */
  readonly picked: unknown
  /** The calls known after this message. */
  readonly calls: CallIndex
}

const stateKey: unique symbol = Symbol('palimpsest.list-state')

/** Attaches the state to the read as a hidden property. */
export function keepState(
  read: RequestRead<readonly unknown[]>,
  messages: readonly ReadMessage[],
): void {
  Object.defineProperty(read, stateKey, { value: messages, enumerable: false })
}

/** null for a read without state, such as a copy. */
export function stateOf(read: RequestRead<readonly unknown[]>): readonly ReadMessage[] | null {
  return (Reflect.get(read, stateKey) as readonly ReadMessage[] | undefined) ?? null
}
