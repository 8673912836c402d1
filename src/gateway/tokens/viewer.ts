import type { Identity } from '../../session/identity.ts'

/** Who asks, as far as a token shows it. */
export interface Viewer {
  /** The name of the token; null for whoever may see everything. */
  readonly owner: string | null
}

export const seesEverything: Viewer = { owner: null }

/** Sessions of an owner are apart, even when people share a credential and a session's name. */
export function ownedBy(identity: Identity, { owner }: Viewer): Identity {
  if (owner === null) return identity
  return { ...identity, owner, credential: JSON.stringify([identity.credential, owner]) }
}
