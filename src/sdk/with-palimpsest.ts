import { clientFacts, limitsIn } from '../formats/client-facts.ts'
import type { Body } from '../formats/format.ts'
import type { Decided } from '../gateway/decided.ts'
import { receiptHeader } from '../gateway/forward-headers.ts'
import { identityOf } from '../gateway/identity.ts'
import { receiptText } from '../gateway/receipt.ts'
import { type ModelRoute, modelRouteOf } from '../gateway/route.ts'
import { createUsageReader } from '../gateway/usage-reader.ts'
import { observeBody } from './observe-body.ts'
import { type PruneOptions, readOptions } from './prune-options.ts'
import { createPruner, type OpenPruner, type Pruner } from './pruner.ts'
import { pruned, type WithPruner } from './restore-tool.ts'

/** The `fetch` of every runtime, as the SDKs take it. */
export type FetchLike = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** A `fetch` that prunes requests to models, and passes on everything else. */
export type PrunedFetch<Fetch extends FetchLike> = Fetch & FetchLike & PrunedFetchExtras

export interface PrunedFetchExtras extends WithPruner {
  /** Writes what is queued and closes the store. */
  close(): Promise<void>
}

/**
 * Prunes what an SDK sends: give the result as `fetch` to the client of Anthropic, OpenAI or Google. It never rejects for
 * a reason of its own: when something goes wrong inside, the original is sent, and `onError` gets the reason.
 *
 * @example
 * const fetch = withPalimpsest(globalThis.fetch)
 * const client = new Anthropic({ fetch })
 *
 * @throws PalimpsestError with code `usage` or `configuration` for an invalid option or configuration file.
 */
export function withPalimpsest<Fetch extends FetchLike>(
  fetch: Fetch,
  options: PruneOptions = {},
): PrunedFetch<Fetch> {
  const pruner = createPruner(readOptions('withPalimpsest', options))
  const send = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    exchange(pruner, fetch, input, init)
  const extras: PrunedFetchExtras = { [pruned]: pruner, close: () => pruner.close() }
  // Bun's `fetch` has functions of its own.
  return Object.assign(send as Fetch & FetchLike, fetch, extras)
}

interface ModelRequest {
  readonly route: ModelRoute
  readonly url: URL
  readonly headers: Headers
  readonly body: Body
}

async function exchange(
  pruner: Pruner,
  fetch: FetchLike,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const at = Date.now()
  const prepared = await prepare(pruner, input, init)
  if (prepared === null) return fetch(input, init)
  const { request, decided, open } = prepared
  const answer = createAnswer(open, request, decided, at)
  const isChanged = decided.body !== request.body
  const sent = isChanged ? withBody(input, init, request, decided.body) : ([input, init] as const)
  let response: Response
  try {
    response = await fetch(...sent)
  } catch (error) {
    answer.fail(error)
    throw error
  }
  return answer.observe(response)
}

/** What is to be sent for a request of a model; null for any other request, and when it cannot be decided. */
async function prepare(
  { open, setup }: Pruner,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<{
  readonly request: ModelRequest
  readonly decided: Decided
  readonly open: OpenPruner
} | null> {
  try {
    const request = await modelRequest(input, init)
    if (request === null || request.headers.get(receiptHeader)?.toLowerCase() === 'off') return null
    const { route, url, body } = request
    const headers = Object.fromEntries(request.headers)
    const found = identityOf({ headers, url: url.href, format: route.format, body })
    const identity = setup.session === null ? found : { ...found, session: setup.session }
    const opened = await open()
    const decided = await opened.decide({
      route,
      upstream: url.host,
      identity,
      body,
      isLocal: false,
    })
    return { request, decided, open: opened }
  } catch (error) {
    setup.onError(error)
    return null
  }
}

/** null unless the request is for a model and its body can be read without changing it. */
async function modelRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<ModelRequest | null> {
  const asked = input instanceof Request ? input : null
  const method = init?.method ?? asked?.method ?? 'GET'
  if (method.toUpperCase() !== 'POST') return null
  const url = new URL(asked?.url ?? String(input))
  const route = modelRouteOf(url.pathname)
  const headers = new Headers(init?.headers ?? asked?.headers)
  if (route === null || headers.has('content-encoding')) return null
  const body = await bodyOf(init?.body ?? null, asked)
  return body === null ? null : { route, url, headers, body }
}

async function bodyOf(given: RequestInit['body'], asked: Request | null): Promise<Body | null> {
  if (typeof given === 'string') return given
  if (given instanceof ArrayBuffer) return new Uint8Array(given)
  // A view of shared memory cannot be told apart by its type, and no client sends one.
  if (given instanceof Uint8Array) return given as Uint8Array<ArrayBuffer>
  if (given !== null || asked === null || asked.bodyUsed || asked.body === null) return null
  return asked.clone().text()
}

/** The arguments of a request with another body. Its length is counted again. */
function withBody(
  input: string | URL | Request,
  init: RequestInit | undefined,
  { headers }: ModelRequest,
  body: Body,
): readonly [string | URL | Request, RequestInit] {
  const sent = new Headers(headers)
  sent.delete('content-length')
  return [input, { ...init, headers: sent, body }]
}

/** Records the answer of a request while the caller reads it. */
function createAnswer(
  open: OpenPruner,
  { route, url, headers: sent }: ModelRequest,
  decided: Decided,
  at: number,
): {
  observe(response: Response): Response
  fail(error: unknown): void
} {
  const client = clientFacts(Object.fromEntries(sent), url.href)
  const { format, model } = route
  return {
    observe(response) {
      const firstByteMs = Date.now() - at
      const { status, statusText } = response
      const headers = new Headers(response.headers)
      const limits = limitsIn(Object.fromEntries(headers))
      const reader = createUsageReader(format, headers.get('content-type') ?? undefined, undefined)
      headers.set(receiptHeader, receiptText(decided.receipt))
      const body = observeBody(response.body, {
        take: (chunk) => reader.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)),
        async end(error) {
          const usage = await reader.end()
          const answered = { status, usage, firstByteMs, limits, error }
          open.answered({ format, model, decided, answered, client, at })
        },
      })
      const copy = new Response(body, { status, statusText, headers })
      // A constructed response has no address of its own.
      return Object.defineProperty(copy, 'url', { value: response.url })
    },
    fail(error) {
      const answered = { status: null, usage: null, error }
      open.answered({ format, model, decided, answered, client, at })
    },
  }
}
