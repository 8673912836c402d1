import type { EngineMaker } from '../config/engine-maker.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import type { Store, StoredSession } from '../store/index.ts'
import { openSession } from './session.ts'

/** What a person can do about one item of a stored session. */
export type StoredAction = 'restore' | 'protect'

export type StoredActionOutcome =
  | {
      readonly kind: 'done'
      /** How many more tokens the next request has. */
      readonly addedTokens: number
      /** What had been sent behind the item, and has to be written to the cache again. */
      readonly rewrittenTokens: number
    }
  /** No item of its last request has the handle. */
  | { readonly kind: 'absent' }
  /** It is shown in full already. */
  | { readonly kind: 'unchanged' }
  /** Another process continued the session during every attempt. */
  | { readonly kind: 'busy' }

const mostTries = 4

/**
 * Shows an item of a stored session in full from its next request on. A gateway that serves the session notices the new
 * entry in the ledger at that request. The agent's earlier messages do not change.
 */
export async function actOnStored(
  { store, maker }: { readonly store: Store; readonly maker: EngineMaker },
  stored: StoredSession,
  handle: string,
  action: StoredAction,
): Promise<StoredActionOutcome> {
  for (let tries = 0; tries < mostTries; tries++) {
    const loaded = await store.load(stored)
    const place = { cwd: stored.folder, model: null }
    const session = openSession({ id: stored.id, maker, place, stored: { store, loaded } })
    session.resume()
    const { engine, history } = session
    const items = history.flatMap((message) => message.items)
    const at = items.findIndex((item) => item.handle === handle)
    const item = items[at]
    if (item === undefined) return { kind: 'absent' }
    const decision = engine.ledger.of(item.index)
    const isDone = action === 'restore' ? engine.undo(handle) : engine.protect(handle)
    if (!isDone) return { kind: 'unchanged' }
    session.note()
    const { kind } = await session.commit()
    if (kind !== 'done') continue
    if (decision === undefined) return { kind: 'done', addedTokens: 0, rewrittenTokens: 0 }
    const shown = decision.rendition.text ?? ''
    const behind = items.slice(at + 1).map(({ index, tokens }) => {
      const other = engine.ledger.of(index)
      return other === undefined ? tokens : estimateTokens(other.rendition.text ?? '')
    })
    return {
      kind: 'done',
      addedTokens: item.tokens - estimateTokens(shown),
      rewrittenTokens: behind.reduce((sum, tokens) => sum + tokens, 0),
    }
  }
  return { kind: 'busy' }
}
