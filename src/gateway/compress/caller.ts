import type { Identity } from '../../session/identity.ts'
import { proxyTokenHeader } from '../forward-headers.ts'
import { identityOf } from '../identity.ts'
import type { Viewer } from '../tokens/viewer.ts'

/** Who calls, and the caller's own name for the session; null when it has none, as with every gateway known so far. */
export interface Caller extends Pick<Identity, 'owner'> {
  readonly session: string | null
  readonly credential: string
}

/**
 * Sessions and originals belong to the credential that a call shows. They are apart from the sessions of the same credential
 * on the model routes, because a gateway may use both ways.
 */
export function callerOf(request: Request, { owner }: Viewer, user = ''): Caller {
  const { url } = request
  const headers = Object.fromEntries(request.headers)
  const nothing = { format: 'openai-chat', body: '' } as const
  const { session, credential } = identityOf({ headers, url, ...nothing })
  const token = headers[proxyTokenHeader] ?? null
  const plain = JSON.stringify(['plug', credential, token, user])
  if (owner === null) return { session, credential: plain }
  return { session, credential: JSON.stringify([plain, owner]), owner }
}

/** The identity of a conversation, which its caller names or which begins with `opening`. */
export function conversationOf(
  { session, credential, owner }: Caller,
  { name, isAudit }: { readonly name: string; readonly isAudit: boolean },
): Identity {
  const named = session ?? `plug-${name}`
  const own = owner === undefined ? {} : { owner }
  return { session: isAudit ? `audit-${named}` : named, parent: null, credential, ...own }
}
