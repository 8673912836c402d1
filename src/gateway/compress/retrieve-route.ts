import { type Identity, isSessionOf } from '../../session/identity.ts'
import type { StoredSession } from '../../store/index.ts'
import { faultReason } from '../store-breaker.ts'
import { callerOf } from './caller.ts'
import { isHash } from './marks.ts'
import type { Plug } from './plug.ts'
import { type PlugRequest, refusal } from './read-call.ts'

/** How many sessions with the same hash are looked at first. It names the content, which many sessions may have. */
const firstSessions = 200

/** `GET /v1/retrieve/{hash}`: the original of a hash in a session of the same credential, from any gateway. */
export async function answerRetrieve(
  plug: Plug,
  { request, viewer }: Pick<PlugRequest, 'request' | 'viewer'>,
): Promise<Response> {
  if (request.method !== 'GET') return refusal(405, 'use GET')
  const hash = /^\/v1\/retrieve\/([^/]+)$/.exec(new URL(request.url).pathname)?.[1] ?? ''
  if (!isHash(hash))
    return refusal(400, 'give the 24 hex digits of a marker: /v1/retrieve/0123456789abcdef01234567')
  try {
    const found = await originalOf(plug, hash, callerOf(request, viewer))
    if (found === null) return refusal(404, `no session of this credential has ${hash}`)
    return Response.json({ hash, original_content: found })
  } catch (fault) {
    plug.onFault(faultReason(fault), fault)
    return refusal(503, `the store cannot be read now (${faultReason(fault)}): try again`)
  }
}

async function originalOf({ store }: Plug, hash: string, caller: Identity): Promise<string | null> {
  const own = await ownHolder(store, hash, caller)
  if (own === null) return null
  const found = await store.original(hash, own)
  return found.kind === 'found' ? found.text : null
}

/** A session of the caller that has the text, however many sessions of others have it too. */
async function ownHolder(
  store: Plug['store'],
  hash: string,
  { credential, owner }: Identity,
): Promise<StoredSession | null> {
  for (let most = firstSessions; ; most *= 10) {
    const holders = await store.sessionsWith([hash], most, { owner: owner ?? null })
    const own = holders.find((session) => isSessionOf(session, credential))
    if (own !== undefined) return own
    if (holders.length < most) return null
  }
}
