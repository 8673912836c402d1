import type { IncomingMessage } from 'node:http'
import { setRecent } from '../../core/words/recent.ts'
import type { Store, StoredToken } from '../../store/index.ts'
import { type Refusal, tokenRefusal, tokensShown } from '../access.ts'
import { tokenHeader } from '../forward-headers.ts'
import { idIn, isNamed, isSecretOf } from './token-text.ts'
import { seesEverything, stranger, type Viewer } from './viewer.ts'

/** Whether a request is allowed, and what it may see. */
export type TokenCheck = (
  request: IncomingMessage,
  how: {
    readonly isForwarded: boolean
    /** No token is required, but one that is sent must be valid. */
    readonly isOpen: boolean
  },
) => Promise<CheckedToken>

export type CheckedToken =
  | { readonly kind: 'passed'; readonly viewer: Viewer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export interface TokenCheckOptions {
  /** The administrator's token, which sees everything; null when none is required. */
  readonly token: string | null
  readonly team: Pick<Store['team'], 'findToken'>
  now(): number
}

/** How long the result of a lookup is used. A revoked token works for at most this long. */
const freshMs = 2_000
const mostKept = 10_000

interface Kept {
  readonly token: StoredToken | null
  readonly at: number
}

export function createTokenCheck({ token, team, now }: TokenCheckOptions): TokenCheck {
  const kept = new Map<string, Kept>()

  /** undefined when the store does not answer and the token was never seen. */
  async function find(id: string): Promise<StoredToken | null | undefined> {
    const known = kept.get(id)
    if (known !== undefined && now() - known.at < freshMs) return known.token
    try {
      const found = await team.findToken(id)
      setRecent(kept, id, { token: found, at: now() }, mostKept)
      return found
    } catch {
      return known?.token
    }
  }

  async function ownerOf(text: string): Promise<string | Refusal | null> {
    const id = idIn(text)
    const found = id === null ? null : await find(id)
    if (found === undefined) return null
    if (found === null || !isSecretOf(text, found)) return refused('is not known')
    if (found.revokedAt !== null) return refused('was revoked')
    if (found.expiresAt !== null && found.expiresAt <= now()) return refused('has expired')
    return found.name
  }

  return async (request, { isForwarded, isOpen }) => {
    // The administrator's token may look like a named one.
    const isAdministrator = token !== null && tokenRefusal(request, token, { isForwarded }) === null
    if (isAdministrator) return passed(seesEverything)
    const named = tokensShown(request, { isForwarded }).find(
      (text): text is string => typeof text === 'string' && isNamed(text),
    )
    const owner = named === undefined ? null : await ownerOf(named)
    if (typeof owner === 'string') return passed({ owner })
    if (owner !== null) return { kind: 'refused', refusal: owner }
    if (isOpen) return passed(token === null ? seesEverything : stranger)
    // While the store does not answer, a named token opens nothing.
    if (named !== undefined) return { kind: 'refused', refusal: unchecked }
    const refusal = tokenRefusal(request, token, { isForwarded })
    return refusal === null ? passed(seesEverything) : { kind: 'refused', refusal }
  }
}

const unchecked: Refusal = {
  status: 503,
  message: 'the token cannot be checked while the store does not answer: try again',
}

function passed(viewer: Viewer): CheckedToken {
  return { kind: 'passed', viewer }
}

function refused(why: string): Refusal {
  const message = `the token ${why}: ask the person who runs the gateway for a new one, and send it as ${tokenHeader}`
  return { status: 401, message }
}
