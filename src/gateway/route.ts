import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { BodyFormatName } from '../formats/format.ts'
import { bodyFormats, detectBodyFormat, providers } from '../formats/index.ts'
import type { ModelPath } from '../formats/wire.ts'
import type { Refusal } from './access.ts'
import { carriesCredential } from './identity.ts'
import type { Upstreams } from './upstreams.ts'

export interface ModelRoute extends ModelPath {
  readonly format: BodyFormatName
}

export interface Route {
  /** The name of an upstream. */
  readonly upstream: string
  /** Path and query, without the segments that are meant for the gateway. */
  readonly path: string
  /** Whether the path switches pruning off. */
  readonly off: boolean
  /** Whether the path names the upstream. */
  readonly isNamed: boolean
  /** null for a request that is forwarded without being read. */
  readonly model: ModelRoute | null
}

/** Why a path is refused, or null. A `..`, however it is encoded, would leave the base path of the upstream. */
export function targetRefusal(target: string): Refusal | null {
  if (!target.startsWith('/')) {
    const message = 'the gateway is not a proxy: send the path alone, as in POST /v1/messages'
    return { status: 400, message }
  }
  let path = target.split('?', 1)[0] as string
  // The upstream, or a proxy before it, may decode more than once.
  for (let times = 0; times < 3; times++)
    path = path.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  if (!path.split(/[/\\]/).some((segment) => /^\.\.(;|$)/.test(segment))) return null
  return { status: 400, message: 'a path must not contain "..": send the resolved path' }
}

/**
 * Where a request goes. `/off/…` in front of a path switches pruning off, and an upstream's name in front of it chooses
 * that upstream. Otherwise the path decides, and the headers where several providers have that path.
 */
export function routeOf(
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
  upstreams: Upstreams,
): Route {
  let path = url.startsWith('/') ? url : `/${url}`
  const off = /^\/off(?=[/?]|$)/.test(path)
  if (off) path = rooted(path.slice('/off'.length))
  const first = /^\/([^/?]+)/.exec(path)?.[1]?.toLowerCase()
  const isNamed = first !== undefined && upstreams.has(first)
  if (isNamed) path = rooted(path.slice(first.length + 1))
  const bare = path.split('?', 1)[0] as string
  const model = method === 'POST' ? modelRouteOf(bare) : null
  const upstream = isNamed ? first : providerOf(bare, model, headers)
  return { upstream, path, off, isNamed, model }
}

/**
 * Refuses a path that no provider is known to have, so that probes and browsers reach nobody. On loopback, agents may use any
 * path of their provider with their credential.
 */
export function unknownPathRefusal(
  { isNamed, model, path }: Route,
  { headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>,
  { isShared }: { readonly isShared: boolean },
): Refusal | null {
  if (isNamed || model !== null || /^\/v\d/.test(path)) return null
  if (!isShared && carriesCredential(headers, url)) return null
  return { status: 404, message: `the gateway has no route ${path.split('?', 1)[0]}` }
}

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}

/** The route of a model by its path, without the query; null for any other path. */
export function modelRouteOf(path: string): ModelRoute | null {
  const format = detectBodyFormat('', path)
  const found = format === null ? null : bodyFormats[format].wire.readPath(path)
  return format === null || found === null ? null : { format, ...found }
}

function providerOf(path: string, model: ModelRoute | null, headers: IncomingHttpHeaders): string {
  const provider =
    model === null
      ? providers.find((each) => each.claims(path, headers))
      : bodyFormats[model.format].wire.provider
  // The last provider gets what no other one claims.
  return (provider ?? providers.at(-1)!).name
}
