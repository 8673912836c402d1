import { PalimpsestError } from '../core/words/errors.ts'
import { providers } from '../formats/index.ts'

/** Where requests are forwarded to, by name. All providers are among them. */
export type Upstreams = ReadonlyMap<string, URL>

/** First path segments that have another meaning. */
const reserved: ReadonlySet<string> = new Set(['off', 'palimpsest', 'mcp', 'v1', 'v1beta', 'api'])

/**
 * The addresses of the providers, which the user's own may replace, and the other upstreams that the user names.
 *
 * @throws PalimpsestError with code `usage` for a name or an address that cannot be used.
 */
export function upstreamsWith(named: Readonly<Record<string, string>>): Upstreams {
  const upstreams = new Map<string, URL>()
  const addresses = new Map(providers.map(({ name, address }) => [name, address]))
  for (const [name, address] of [...addresses, ...Object.entries(named)]) {
    if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name) || reserved.has(name.toLowerCase())) {
      throw new PalimpsestError(
        'usage',
        `an upstream cannot be called "${name}": use letters, digits, dots and dashes, but none of ${[...reserved].join(', ')}`,
      )
    }
    upstreams.set(name.toLowerCase(), addressOf(name, address))
  }
  return upstreams
}

function addressOf(name: string, address: string): URL {
  let url: URL | null = null
  try {
    url = new URL(address)
  } catch {
    // Reported below.
  }
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // The message leaves out the address, which may contain a secret.
    throw new PalimpsestError(
      'usage',
      `the upstream ${name} (--upstream ${name}=URL) has no usable address: give one like http://127.0.0.1:11434/v1`,
    )
  }
  const { username, password, search, hash } = url
  if (`${username}${password}${search}${hash}` !== '') {
    throw new PalimpsestError(
      'usage',
      `the address of the upstream ${name} (--upstream ${name}=URL) has a user, a password, a query or a fragment, which would not be sent: leave them out, and let the agent send its credential with each request`,
    )
  }
  return url
}

/** Reads `NAME=URL`, as the command line has it. */
export function namedUpstream(text: string): readonly [name: string, address: string] {
  const at = text.indexOf('=')
  // An address without a name may have the sign in its query.
  if (at > 0 && !text.slice(0, at).includes('/')) return [text.slice(0, at), text.slice(at + 1)]
  throw new PalimpsestError(
    'usage',
    'an --upstream has no name: write NAME=URL, for example local=http://127.0.0.1:11434/v1',
  )
}

/** The path and query on the upstream. A version that stands at the end of its address is not repeated. */
export function pathOn(upstream: URL, path: string): string {
  const base = upstream.pathname.replace(/\/+$/, '')
  const version = /\/v\d+[a-z0-9]*$/.exec(base)?.[0]
  const isRepeated =
    version !== undefined &&
    path.startsWith(version) &&
    /^([/?]|$)/.test(path.slice(version.length))
  return `${base}${isRepeated ? path.slice(version.length) : path}` || '/'
}
