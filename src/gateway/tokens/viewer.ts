import type { Identity } from '../../session/identity.ts'

/** Who asks, as far as a token shows it. */
export interface Viewer {
  /** The name of the token; null for whoever may see everything. */
  readonly owner: string | null
  /** Showed no token, where other routes ask for one. */
  readonly isStranger?: true
}

export const seesEverything: Viewer = { owner: null }

/** Whoever calls a model through a gateway that has a token, without showing one. */
export const stranger: Viewer = { owner: null, isStranger: true }

/** Sessions of an owner are apart, even when people share a credential and a session's name. */
export function ownedBy(identity: Identity, { owner, isStranger }: Viewer): Identity {
  if (isStranger === true) return { ...identity, isStranger }
  if (owner === null) return identity
  return { ...identity, owner, credential: JSON.stringify([identity.credential, owner]) }
}
