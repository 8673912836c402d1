import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { tokenHeader } from './passing-headers.ts'

/** Who may use what is not a model's route: everybody on this machine, or whoever has the token. */
export interface Access {
  /** Where the gateway listens. */
  readonly host: string
  /** null where none is wanted, which is on loopback alone. */
  readonly token: string | null
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}

/** What another machine's proxy passes on names the client that it came from. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

/** Whether the client itself is on this machine, as far as its connection shows. */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  return isLoopback(address) && forwarding.every((name) => headers[name] === undefined)
}

/**
 * Why a request is not let in, or null. What is passed on can only show the token in its own header: everything else
 * of it goes to the upstream.
 */
export function refusal(
  request: IncomingMessage,
  { host, token }: Access,
  { isPassedOn }: { readonly isPassedOn: boolean },
): string | null {
  if (token !== null) {
    const shown = isPassedOn ? [request.headers[tokenHeader]] : tokensIn(request)
    return shown.some((given) => typeof given === 'string' && isSame(given, token))
      ? null
      : 'a token is needed'
  }
  // A page in the browser may have its name point to this machine; it cannot choose what the browser says here.
  const asked = (request.headers.host ?? '').replace(/:\d+$/, '')
  return !isLoopback(host) || isLoopback(asked) ? null : 'not asked for by its own name'
}

function tokensIn({ headers, url = '/' }: IncomingMessage): readonly unknown[] {
  const bearer = /^bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  const cookie = /(?:^|;\s*)palimpsest-token=([^;]+)/.exec(headers.cookie ?? '')?.[1]
  const inQuery = new URLSearchParams(url.split('?', 2)[1] ?? '').get('palimpsest-token')
  return [headers[tokenHeader], bearer, cookie, inQuery]
}

function isSame(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}
