import { createHmac } from 'node:crypto'

/** Who sends a request, as far as the request shows it. */
export interface Identity {
  /** The client's own name for the session; null when it has none. */
  readonly session: string | null
  readonly parent: string | null
  /** All credentials of the request as one text. It never leaves the memory of the process. */
  readonly credential: string
  /** Whose sessions they are; see `SessionKey.owner`. */
  readonly owner?: string
  /** It sends only a part of each conversation, so its requests do not show what the provider may have cached. */
  readonly isPart?: true
  /** The request has no token although tokens are in use, so it gets no memory. */
  readonly isStranger?: true
}

/** Begins the names of sessions whose requests are decided and not sent so. No other session goes on with them. */
export const auditPrefix = 'audit-'

/**
 * What the store keeps of a credential. The salt is the name of the session: the same in every process, and different for
 * every session, so that the store does not show which sessions use the same key.
 */
export function credentialHash(credential: string, salt: string): string {
  return createHmac('sha256', `palimpsest session ${salt}`)
    .update(credential)
    .digest('hex')
    .slice(0, 32)
}

/** Whether a stored session was opened with a credential. A branch is named after its session: `plug-….0123456789ab`. */
export function isSessionOf(
  { id, credential: owner }: { readonly id: string; readonly credential: string },
  credential: string,
): boolean {
  const names = [id, id.replace(/(?:\.own)?\.[0-9a-f]{12}$/, '')]
  return names.some((name) => credentialHash(credential, name) === owner)
}
