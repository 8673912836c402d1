import type { IncomingHttpHeaders } from 'node:http'
import type { BodyFormatName } from '../formats/format.ts'
import { detectBodyFormat } from '../formats/index.ts'
import type { Refusal } from './access.ts'
import type { Provider, Upstreams } from './upstreams.ts'

/** What a request to a model is for. Only an answer is a turn of a session. */
export type Purpose = 'answer' | 'count' | 'compact'

export interface ModelRoute {
  readonly format: BodyFormatName
  readonly purpose: Purpose
  /** Where the path names it. */
  readonly model: string | null
}

export interface Route {
  /** A name in the upstreams. */
  readonly upstream: string
  /** Path and query, without what was meant for the gateway. */
  readonly path: string
  /** A prefix of the path switched pruning off. */
  readonly off: boolean
  /** null for everything that is only passed on. */
  readonly model: ModelRoute | null
}

/**
 * Why a request's target cannot be passed on, or null: one that climbs with `..`, however it is written, would leave the
 * base path of its upstream.
 */
export function targetRefusal(target: string): Refusal | null {
  if (!target.startsWith('/')) {
    const message = 'the gateway is not a proxy: send the path alone, as in POST /v1/messages'
    return { status: 400, message }
  }
  let path = target.split('?', 1)[0] as string
  // An upstream, or what stands before it, may decode more than once.
  for (let times = 0; times < 3; times++)
    path = path.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  if (!path.split(/[/\\]/).some((segment) => /^\.\.(;|$)/.test(segment))) return null
  return { status: 400, message: 'a path must not contain "..": write it out' }
}

/**
 * Where a request goes. `/off/…` before a path switches pruning off, and the name of an upstream before it chooses that
 * one; all else is decided by the path and, where several providers have the same, by the credential's header.
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
  return { upstream, path, off, model }
}

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}

function modelRouteOf(path: string): ModelRoute | null {
  // OpenAI's threads have messages too, of another kind.
  if (path.includes('/threads/')) return null
  const format = detectBodyFormat('', path)
  if (format === null) return null
  return { format, purpose: purposeOf(path), model: modelIn(path) }
}

function purposeOf(path: string): Purpose {
  if (/(\/count_tokens|\/input_tokens|:countTokens)\/?$/.test(path)) return 'count'
  return /\/responses\/compact\/?$/.test(path) ? 'compact' : 'answer'
}

function modelIn(path: string): string | null {
  const name = /\/models\/([^/]+):[A-Za-z]+$/.exec(path)?.[1]
  return name === undefined ? null : decoded(name)
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function providerOf(
  path: string,
  model: ModelRoute | null,
  headers: IncomingHttpHeaders,
): Provider {
  switch (model?.format) {
    case 'anthropic':
      return 'anthropic'
    case 'openai-chat':
    case 'openai-responses':
      return 'openai'
    case 'gemini':
      return 'gemini'
    case undefined:
      return otherProviderOf(path, headers)
  }
}

function otherProviderOf(path: string, headers: IncomingHttpHeaders): Provider {
  if (headers['x-goog-api-key'] !== undefined || /^\/(upload\/)?v1(beta|alpha)\//.test(path))
    return 'gemini'
  if (headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined)
    return 'anthropic'
  if (/^\/v1\/messages\//.test(path)) return 'anthropic'
  const token = /^bearer (.*)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  if (token.startsWith('sk-ant-')) return 'anthropic'
  return path.startsWith('/v1/') ? 'openai' : 'anthropic'
}
