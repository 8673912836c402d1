import type { Identity } from '../../session/identity.ts'

/** The caller of a request, as its token identifies it. */
export interface Viewer {
  /** The name of the token; null for a caller that may see everything. */
  readonly owner: string | null
  /** The request sent no token to a gateway that has one. */
  readonly isStranger?: true
}

export const seesEverything: Viewer = { owner: null }

/** A caller of a model route that sends no token to a gateway that has one. */
export const stranger: Viewer = { owner: null, isStranger: true }

/** Keeps the sessions of owners separate, even when people share a credential and a session's name. */
export function ownedBy(identity: Identity, { owner, isStranger }: Viewer): Identity {
  if (isStranger === true) return { ...identity, isStranger }
  if (owner === null) return identity
  return { ...identity, owner, credential: JSON.stringify([identity.credential, owner]) }
}
