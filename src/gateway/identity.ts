import { createHmac, hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { parseJson } from '../core/words/json.ts'
import type { Body, BodyFormatName } from '../formats/format.ts'
import { findValue } from '../formats/json/find-value.ts'
import { skipSpace } from '../formats/json/scan.ts'

/** Who sends a request, as far as it says so. */
export interface Identity {
  /** The client's own name for the session; null when it has none. */
  readonly session: string | null
  readonly parent: string | null
  /** All credentials of the request as one text. It never leaves the memory of the process. */
  readonly credential: string
}

const sessionHeaders = [
  'x-claude-code-session-id',
  'x-session-id',
  'session-id',
  'session_id',
  'x-session-affinity',
] as const

const credentialHeaders = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'chatgpt-account-id',
] as const

/** Longer names are hashed; they are nobody's to read. */
const longestName = 120

export interface IdentifiedRequest {
  readonly headers: IncomingHttpHeaders
  readonly url: string
  readonly format: BodyFormatName
  readonly body: Body
}

export function identityOf({ headers, url, format, body }: IdentifiedRequest): Identity {
  const named = sessionNamed((name) => headers[name])
  const inBody = named === null && format.startsWith('openai') ? cacheKeyIn(body) : null
  const session = named ?? (inBody === null ? null : storable(inBody))
  const parent = headers['x-parent-session-id']
  const inQuery = /[?&]key=([^&#]*)/.exec(url)?.[1]
  const credential = [...credentialHeaders.map((name) => headers[name]), inQuery]
  return {
    session,
    parent: isName(parent) ? storable(parent) : null,
    credential: JSON.stringify(credential),
  }
}

/** The client's own name for the session, as the store has it; null when no header says one. */
export function sessionNamed(
  headerOf: (name: string) => string | string[] | undefined,
): string | null {
  const named = sessionHeaders.map(headerOf).find(isName)
  return named === undefined ? null : storable(named)
}

/**
 * What the store keeps of a credential. The salt is the session's own name, so that it is the same in every process and
 * different for every session: nobody who reads the store learns which sessions have the same key.
 */
export function credentialHash(credential: string, salt: string): string {
  return createHmac('sha256', `palimpsest session ${salt}`)
    .update(credential)
    .digest('hex')
    .slice(0, 32)
}

function isName(value: string | string[] | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function storable(name: string): string {
  const isPlain = name.length <= longestName && /^[\x21-\x7e]+$/.test(name)
  return isPlain ? name : hash('sha256', name).slice(0, 40)
}

const cacheKey = '"prompt_cache_key"'

/** OpenAI's clients name the session in the body. Inside a text, the quotes would be escaped. */
function cacheKeyIn(body: Body): string | null {
  const after = textAfter(body, cacheKey)
  const value = after === null ? undefined : /^\s*:\s*("(?:[^"\\]|\\.)*")/.exec(after)?.[1]
  if (value === undefined) return null
  const name = parseJson(value)
  return typeof name === 'string' && name.trim() !== '' ? name : null
}

/** True when the provider keeps the history, and the body holds only what is new. */
export function isContinuation(body: Body): boolean {
  if (memberOf(body, 'previous_response_id')?.startsWith('"')) return true
  const conversation = memberOf(body, 'conversation')
  return conversation !== null && /^(\{\s*"id"\s*:\s*)?"conv_/.test(conversation)
}

/** The first characters of a member of the body itself: tools and metadata may have members of the same name. */
function memberOf(body: Body, key: string): string | null {
  // Most bodies have it nowhere, which takes much less to find out.
  if (textAfter(body, `"${key}"`) === null) return null
  const scan =
    typeof body === 'string'
      ? body
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  const at = findValue(scan, skipSpace(scan, 0), [key])
  return at < 0 ? null : scan.slice(at, at + 400)
}

/** The few characters after the first place where a body has this text. */
function textAfter(body: Body, text: string): string | null {
  const length = 400
  if (typeof body === 'string') {
    const at = body.indexOf(text)
    return at < 0 ? null : body.slice(at + text.length, at + text.length + length)
  }
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const at = bytes.indexOf(text, 0, 'latin1')
  if (at < 0) return null
  return bytes.toString('utf8', at + text.length, at + text.length + length)
}
