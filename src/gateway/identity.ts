import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Body, BodyFormatName } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import type { Identity } from '../session/identity.ts'

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

/** Longer names are hashed. */
const longestName = 120

export interface IdentifiedRequest {
  readonly headers: IncomingHttpHeaders
  readonly url: string
  readonly format: BodyFormatName
  readonly body: Body
}

export function identityOf({ headers, url, format, body }: IdentifiedRequest): Identity {
  const named = sessionNamed((name) => headers[name])
  const inBody = named === null ? bodyFormats[format].wire.sessionIn(body) : null
  const session = named ?? (inBody === null ? null : storable(inBody))
  const parent = headers['x-parent-session-id']
  return {
    session,
    parent: isName(parent) ? storable(parent) : null,
    credential: credentialOf(headers, url),
  }
}

/** All credentials of a request as one text. */
export function credentialOf(headers: IncomingHttpHeaders, url: string): string {
  const inQuery = /[?&]key=([^&#]*)/.exec(url)?.[1]
  return JSON.stringify([...credentialHeaders.map((name) => headers[name]), inQuery])
}

/** Whether a request has something that a provider could accept as a credential. */
export function carriesCredential(headers: IncomingHttpHeaders, url: string): boolean {
  return credentialHeaders.some((name) => headers[name] !== undefined) || /[?&]key=[^&#]/.test(url)
}

/** The client's name for the session, as stored; null when no header has one. */
export function sessionNamed(
  headerOf: (name: string) => string | string[] | undefined,
): string | null {
  const named = sessionHeaders.map(headerOf).find(isName)
  return named === undefined ? null : storable(named)
}

function isName(value: string | string[] | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function storable(name: string): string {
  const isPlain = name.length <= longestName && /^[\x21-\x7e]+$/.test(name)
  return isPlain ? name : hash('sha256', name).slice(0, 40)
}
