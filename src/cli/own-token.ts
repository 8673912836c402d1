import { PalimpsestError } from '../core/words/errors.ts'
import { idIn, isNamed, isSecretOf } from '../gateway/tokens/token-text.ts'
import type { Store, StoreLocation } from '../store/index.ts'
import { ownedStore } from '../store/owned-store.ts'

/** The named token of the user who runs a command. `serve` takes the gateway's own token from the same variable. */
function ownToken(): string | null {
  const text = process.env.PALIMPSEST_TOKEN ?? ''
  return isNamed(text) ? text : null
}

export function hasOwnToken(): boolean {
  return ownToken() !== null
}

/** The owner whose sessions and memory a command uses: the name of its token; null for those without an owner. */
export async function ownerOf(store: Store, now: number): Promise<string | null> {
  const text = ownToken()
  if (text === null) return null
  const id = idIn(text)
  const found = id === null ? null : await store.team.findToken(id)
  const isOver = found?.expiresAt != null && found.expiresAt <= now
  if (found === null || !isSecretOf(text, found) || found.revokedAt !== null || isOver)
    throw new PalimpsestError(
      'usage',
      'the token in PALIMPSEST_TOKEN is not valid for this store: ask the person who runs the gateway for a new one',
    )
  return found.name
}

/**
 * The store as a command may see it. The file of another user cannot be read, but a database may have the sessions of many
 * users: on PostgreSQL a command sees those of its token, or without one those that were opened without a token.
 */
export async function seenStore(store: Store, now: number): Promise<Store> {
  const owner = await ownerOf(store, now)
  return owner === null && store.engine !== 'postgres' ? store : ownedStore(store, owner)
}

/** Why a command may not find what an agent saw. */
export function ownTokenHint({ kind }: StoreLocation): string {
  if (kind !== 'postgres' || hasOwnToken()) return ''
  return ' among the sessions without a token: set PALIMPSEST_TOKEN to your named token to find those of your own'
}
