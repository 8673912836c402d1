import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { PalimpsestError } from '../core/words/errors.ts'
import { proxyTokenHeader, tokenHeader } from './forward-headers.ts'

export interface Access {
  /** Where the gateway listens. */
  readonly host: string
  /** null when none is required, which is possible on loopback only. */
  readonly token: string | null
  /** Names, with or without a port, that a `Host` header or a web page's `Origin` may have besides the gateway's own. */
  readonly allowedHosts: readonly string[]
}

/** Why a request is not answered. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 408 | 413 | 426 | 429 | 502 | 503
  readonly message: string
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}

/** Headers in which a proxy names the client that a request came from. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

/** Whether the client is on this machine, as far as its connection shows. */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  return isLoopback(address) && forwarding.every((name) => headers[name] === undefined)
}

/** @throws PalimpsestError with code `usage` for an empty token, or a missing one when others can reach the gateway. */
export function checkToken({ host, token }: Pick<Access, 'host' | 'token'>): void {
  if (token?.trim() === '')
    throw new PalimpsestError(
      'usage',
      'the token (--token) is empty: give one that is hard to guess',
    )
  if (token === null && !isLoopback(host))
    throw new PalimpsestError(
      'usage',
      `a gateway on ${host} requires a token: give one (--token, or PALIMPSEST_TOKEN), for example of \`openssl rand -hex 24\``,
    )
}

/**
 * Refuses what a web page in the user's browser could send. A page whose name was rebound to this machine cannot choose the
 * `Host` header, and a page of another site cannot choose `Origin` or `Sec-Fetch-Site`.
 */
export function callerRefusal(request: IncomingMessage, access: Access): Refusal | null {
  const { host = '', origin, 'sec-fetch-site': site } = request.headers
  if (!isOwnHost(request, access)) {
    const message = `the Host header names "${host}", which is not a name of this gateway: use 127.0.0.1 or localhost, or allow the name with --allow-host (allowedHosts in your own configuration)`
    return { status: 403, message }
  }
  if (origin !== undefined) {
    const from = originOf(origin)
    // Editors and desktop apps have their own scheme, which no web page can send.
    if (from !== null && from.protocol !== 'http:' && from.protocol !== 'https:') return null
    if (from !== null && isAllowed(from.host, access)) return null
    if (from === null || !isOwnOrigin(from, request, access)) {
      const message = `requests from web pages are not accepted (Origin: ${origin}): allow the page's host with --allow-host (allowedHosts in your own configuration) if it is yours`
      return { status: 403, message }
    }
  }
  if (site !== 'cross-site' && site !== 'same-site') return null
  const message = `requests from other web sites are not accepted (Sec-Fetch-Site: ${site}): open the address directly`
  return { status: 403, message }
}

/** A request that is forwarded may carry the token in our own header only: everything else goes to the upstream. */
export function tokensShown(
  request: IncomingMessage,
  { isForwarded }: { readonly isForwarded: boolean },
): readonly unknown[] {
  return isForwarded ? [request.headers[tokenHeader]] : tokensIn(request)
}

export function tokenRefusal(
  request: IncomingMessage,
  token: string | null,
  { isForwarded }: { readonly isForwarded: boolean },
): Refusal | null {
  if (token === null) return null
  const shown = tokensShown(request, { isForwarded })
  if (shown.some((given) => typeof given === 'string' && isSame(given, token))) return null
  return { status: 401, message: `a token is required: send the gateway's token as ${tokenHeader}` }
}

function isOwnHost({ headers, socket }: IncomingMessage, access: Access): boolean {
  const { host, allowedHosts } = access
  // On another address than loopback, a gateway may have any name unless the user listed its names.
  if (!isLoopback(host) && allowedHosts.length === 0) return true
  const { host: asked = '' } = headers
  const name = /^(\[[0-9a-f:.]+\]|[^:@/\\[\]\s]+)(?::\d+)?$/i.exec(asked)?.[1]
  if (name === undefined) return false
  // A page with a rebound name cannot name an address. Probes and scrapers do.
  const isOwnAddress = name.replace(/^\[|\]$/g, '') === addressOf(socket)
  return isLoopback(name) || isOwnAddress || isAllowed(asked, access)
}

function addressOf({ localAddress = '' }: IncomingMessage['socket']): string {
  return localAddress.replace(/^::ffff:/i, '')
}

function isOwnOrigin(from: URL, { headers, socket }: IncomingMessage, { host }: Access): boolean {
  if (from.host === headers.host?.toLowerCase()) return true
  return isLoopback(host) && isLoopback(from.hostname) && Number(from.port) === socket.localPort
}

/** null for `null`, which sandboxed frames and local files send, and for an invalid address. */
function originOf(origin: string): URL | null {
  return URL.canParse(origin) ? new URL(origin) : null
}

function isAllowed(host: string, { allowedHosts }: Access): boolean {
  const full = host.toLowerCase()
  const name = full.replace(/:\d+$/, '')
  return allowedHosts.some((each) => [full, name].includes(each.toLowerCase()))
}

function tokensIn({
  headers,
  url = '/',
}: Pick<IncomingMessage, 'headers' | 'url'>): readonly unknown[] {
  const bearer = /^bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  const cookie = /(?:^|;\s*)palimpsest-token=([^;]+)/.exec(headers.cookie ?? '')?.[1]
  const inQuery = new URLSearchParams(url.split('?', 2)[1] ?? '').get('palimpsest-token')
  // LiteLLM's generic guardrail sends `x-api-key`; callers of `/v1/compress` may send the proxy token.
  const named = [headers['x-api-key'], headers[proxyTokenHeader]]
  return [headers[tokenHeader], bearer, cookie, inQuery, ...named]
}

/** Whether a request to one of our routes has the token, in any of the allowed places. */
export function showsToken({ headers, url }: Request, token: string): boolean {
  const { pathname, search } = new URL(url)
  const names = [tokenHeader, 'authorization', 'cookie']
  const given = Object.fromEntries(names.map((name) => [name, headers.get(name) ?? undefined]))
  const shown = tokensIn({ headers: given, url: `${pathname}${search}` })
  return shown.some((each) => typeof each === 'string' && isSame(each, token))
}

/** Hashes have the same length, so that the time does not reveal the token's. */
function isSame(given: string, token: string): boolean {
  const [one, other] = [hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer')]
  return given !== '' && timingSafeEqual(one, other)
}
