import { auditPrefix, type Identity } from '../../session/identity.ts'
import { proxyTokenHeader } from '../forward-headers.ts'
import { identityOf } from '../identity.ts'
import { isNamed } from '../tokens/token-text.ts'
import { ownedBy, type Viewer } from '../tokens/viewer.ts'

/**
 * Who calls, with the caller's own name for the session, which no gateway known so far has.
 *
 * Sessions and originals belong to the credential that a call shows, and to the name of its token. They are apart from the
 * sessions of the same credential on the model routes, because a gateway may use both ways.
 */
export function callerOf(request: Request, viewer: Viewer, user = ''): Identity {
  const { url } = request
  // Named tokens are identified by their name, so that another token of that name continues the sessions.
  const isToken = (value: string): boolean => isNamed(value.replace(/^bearer /i, ''))
  const headers = Object.fromEntries(
    [...request.headers].filter(([, value]) => viewer.owner === null || !isToken(value)),
  )
  const nothing = { format: 'openai-chat', body: '' } as const
  const { session, credential } = identityOf({ headers, url, ...nothing })
  const token = headers[proxyTokenHeader] ?? null
  const shown = JSON.stringify(['plug', credential, token, user])
  return ownedBy({ session, parent: null, credential: shown }, viewer)
}

/** The identity of a conversation, which its caller names or which begins with `opening`. */
export function conversationOf(
  caller: Identity,
  { name, isAudit }: { readonly name: string; readonly isAudit: boolean },
): Identity {
  const named = caller.session ?? `plug-${name}`
  return { ...caller, session: isAudit ? `${auditPrefix}${named}` : named }
}
