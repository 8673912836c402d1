import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { setImmediate as immediate } from 'node:timers/promises'
import { type LimitShares, limitsIn } from '../formats/client-facts.ts'
import type { BodyFormatName } from '../formats/format.ts'
import type { AnswerUsage } from '../formats/usage.ts'
import { answerHeaders, requestHeaders } from './forward-headers.ts'
import { pathOn } from './upstreams.ts'
import { createUsageReader } from './usage-reader.ts'

export interface Forwarding {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly upstream: URL
  /** Path and query, as the client sent them. */
  readonly path: string
  readonly body: ForwardedBody
  /** null when it is not for a model, and its answer has no usage. */
  readonly format: BodyFormatName | null
  /** The receipt header of the answer. */
  readonly receipt: string
  /** A header value that the request needs besides those of the client. */
  readonly addedHeader?: readonly [name: string, value: string]
  /** Sent instead, without that value, when the upstream answers 400. */
  readonly fallback?: Pick<Forwarding, 'body' | 'receipt'>
  /**
   * What was sent of the session before is not known now. When the upstream answers 400, the client gets 503 and tries again,
   * because a 400 would end its session.
   */
  readonly isUnsure?: boolean
}

export type ForwardedBody =
  /** As the client sent it. */
  | { readonly kind: 'original'; readonly bytes: Uint8Array }
  | { readonly kind: 'changed'; readonly bytes: Uint8Array }
  /** Still being received, after what has come so far. */
  | { readonly kind: 'stream'; readonly begin: Uint8Array | null }

export interface Answered {
  /** null when no answer came. */
  readonly status: number | null
  readonly usage: AnswerUsage | null
  /** Milliseconds until the answer's headers came. */
  readonly firstByteMs: number | null
  /** Why it ended early. */
  readonly error: string | null
  readonly isFallback: boolean
  /** How much of a subscription's limits is used, where the answer says so. */
  readonly limits: LimitShares | null
}

export interface Forwarder {
  /** Sends a request to the upstream and its answer back. Resolves when the answer has ended, and never rejects. */
  forward(forwarding: Forwarding): Promise<Answered>
  close(): void
}

export function createForwarder(): Forwarder {
  const kept = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: idleMs }
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) } as const

  function open(forwarding: Forwarding): http.ClientRequest {
    const { request, upstream, path, body, addedHeader } = forwarding
    const changedLength = body.kind === 'changed' ? body.bytes.length : null
    const headers = requestHeaders(request, { host: upstream.host, changedLength, addedHeader })
    const agent = agents[upstream.protocol === 'https:' ? 'https:' : 'http:']
    return openRequest(request, upstream, path, { headers, agent })
  }

  return {
    forward: async (forwarding) => {
      if (Object.values(agents).some(hasFreeSocket)) await noticeClosedSockets()
      // A client that disconnected while its request was decided about causes no further event.
      if (forwarding.response.destroyed || forwarding.request.socket.destroyed)
        return { ...unanswered, error: clientLeft }
      return new ForwardedRequest(forwarding, open).answered
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** Opens a request like the client's to an upstream. */
export function openRequest(
  { method = 'GET' }: IncomingMessage,
  upstream: URL,
  path: string,
  { headers, agent }: { readonly headers: readonly string[]; readonly agent: http.Agent | false },
): http.ClientRequest {
  const isSecure = upstream.protocol === 'https:'
  const send = isSecure ? https.request : http.request
  return send({
    protocol: upstream.protocol,
    hostname: upstream.hostname.replace(/^\[|\]$/g, ''),
    port: upstream.port || (isSecure ? 443 : 80),
    method,
    path: pathOn(upstream, path),
    headers,
    agent,
  })
}

const clientLeft = 'the client went away'
const unanswered = {
  status: null,
  usage: null,
  firstByteMs: null,
  isFallback: false,
  limits: null,
} as const

/**
 * Idle connections are closed after this time, or a second before the time that the upstream names. A request on a connection
 * that the upstream is closing fails, and cannot be sent again, because the upstream may have read it.
 */
const idleMs = 4_000

function hasFreeSocket({ freeSockets }: http.Agent): boolean {
  return Object.keys(freeSockets).length > 0
}

/** Node polls the network between two immediates, and then knows which kept connections the upstream has closed. */
async function noticeClosedSockets(): Promise<void> {
  await immediate()
  await immediate()
}

type Open = (forwarding: Forwarding) => http.ClientRequest

/** One request to the upstream and its answer. */
class ForwardedRequest {
  readonly answered: Promise<Answered>
  #forwarding: Forwarding
  readonly #open: Open
  readonly #startedAt = performance.now()
  #finish: (answered: Answered) => void = () => {}
  #outgoing: http.ClientRequest
  #status: number | null = null
  #firstByteMs: number | null = null
  #limits: LimitShares | null = null
  #isOver = false
  #isFallback = false

  constructor(forwarding: Forwarding, open: Open) {
    this.#forwarding = forwarding
    this.#open = open
    this.answered = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#outgoing = this.#send()
    const { response, request } = forwarding
    const abort = (): void => {
      if (this.#isOver || (response.writableFinished && request.complete)) return
      this.#end(null, clientLeft)
      this.#outgoing.destroy()
    }
    response.once('close', abort)
    // A response that waits behind another on the same connection gets no event of its own.
    request.socket.once('close', abort)
    this.answered.then(() => request.socket.off('close', abort))
  }

  #end(usage: AnswerUsage | null, error: string | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#finish({
      status: this.#status,
      usage,
      firstByteMs: this.#firstByteMs,
      error,
      isFallback: this.#isFallback,
      limits: this.#limits,
    })
  }

  /** Never retries: a request that reached the upstream may have been paid for. */
  #send(): http.ClientRequest {
    const { request, body } = this.#forwarding
    const outgoing = this.#open(this.#forwarding)
    outgoing.on('error', (error: NodeJS.ErrnoException) => this.#fail(error))
    outgoing.on('response', (answer) => {
      try {
        this.#answer(answer)
      } catch (error) {
        // Invalid headers, for example.
        outgoing.destroy()
        this.#fail(error as Error)
      }
    })
    outgoing.on('upgrade', (_answer, socket) => {
      socket.on('error', () => {}).destroy()
      this.#fail(new Error('the upstream changed the protocol'))
    })
    if (body.kind !== 'stream') outgoing.end(body.bytes)
    else {
      if (body.begin !== null) outgoing.write(body.begin)
      request.pipe(outgoing)
    }
    return outgoing
  }

  #fail(error: NodeJS.ErrnoException): void {
    const { response, upstream, receipt } = this.#forwarding
    if (this.#isOver) return
    this.#end(null, error.code ?? error.message)
    // A broken answer must not look like a complete one.
    if (response.headersSent) response.destroy()
    else sendUnreachable(response, upstream, error, receipt)
  }

  #answer(answer: IncomingMessage): void {
    const { response, receipt, fallback } = this.#forwarding
    if (answer.statusCode === 400 && fallback !== undefined) {
      answer.resume()
      const { addedHeader: _, fallback: __, ...rest } = this.#forwarding
      this.#forwarding = { ...rest, ...fallback }
      this.#isFallback = true
      this.#outgoing = this.#send()
      return
    }
    if (answer.statusCode === 400 && this.#forwarding.isUnsure === true) {
      answer.resume()
      this.#status = 503
      this.#end(null, null)
      sendUnsure(response, receipt)
      return
    }
    this.#status = answer.statusCode ?? 502
    // The upstream has the body. Do not hold it while the answer streams.
    const { fallback: _, ...rest } = this.#forwarding
    this.#forwarding = { ...rest, body: { kind: 'stream', begin: null } }
    this.#firstByteMs = performance.now() - this.#startedAt
    this.#limits = limitsIn(answer.headers)
    const { 'content-type': type, 'content-encoding': encoding } = answer.headers
    const usage = createUsageReader(this.#forwarding.format, type, encoding)
    response.writeHead(
      this.#status,
      answer.statusMessage,
      answerHeaders(answer, receipt) as string[],
    )
    response.flushHeaders()
    answer.on('data', (chunk: Buffer) => {
      if (!response.write(chunk)) answer.pause()
      usage.take(chunk)
    })
    response.on('drain', () => answer.resume())
    answer.on('end', () => {
      response.end()
      const done = (read: AnswerUsage | null): void => this.#end(read, null)
      usage.end().then(done, () => done(null))
    })
    answer.on('error', (error) => this.#fail(error))
    answer.on('aborted', () => this.#fail(new Error('the upstream broke off')))
  }
}

function sendUnsure(response: ServerResponse, receipt: string): void {
  const message =
    'palimpsest: the store does not answer, and the provider refuses this request without what was decided before: try again'
  sendError(response, 503, message, { 'x-palimpsest': receipt, 'retry-after': '1' })
}

function sendUnreachable(
  response: ServerResponse,
  upstream: URL,
  error: NodeJS.ErrnoException,
  receipt: string,
): void {
  const message = `palimpsest: ${upstream.host} cannot be reached (${error.code ?? error.message})`
  sendError(response, 502, message, { 'x-palimpsest': receipt })
}

/** Answers in a form that every provider's clients can show. Clients retry by themselves. */
function sendError(
  response: ServerResponse,
  code: number,
  message: string,
  headers: http.OutgoingHttpHeaders,
): void {
  const body = JSON.stringify({ type: 'error', error: { type: 'api_error', message, code } })
  response.writeHead(code, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  response.end(body)
}
