import { createHash } from 'node:crypto'
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { decompress } from 'fzstd'
import type { Violation } from '../../src/formats/format.ts'
import type { AnswerUsage, StreamEvent } from './answer.ts'
import { type Api, routeOf } from './api.ts'
import { createScriptedModel, type Outcome } from './model.ts'
import type { Scenario } from './scenario.ts'
import { type Validate, validateBody } from './validation.ts'

/** One request that came in, as it came. Credentials are not kept. */
export interface LoggedRequest {
  readonly method: string
  readonly path: string
  /** Without credentials. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of `authorization`; null without it. */
  readonly authorizationHash: string | null
  readonly api: Api | null
  readonly kind: Outcome['kind'] | 'other'
  readonly turn: number | null
  readonly status: number
  readonly violations: readonly Violation[]
  readonly usage: AnswerUsage | null
  /** The decoded body, byte for byte. */
  readonly body: string
}

export interface StartModelOptions {
  readonly scenario: Scenario
  /** 0, the default, takes a free one. */
  readonly port?: number
  /** A file that gets one line of JSON for each request. */
  readonly log?: string
  /** Time before each answer. */
  readonly latencyMs?: number
  /** Decides ids and signatures. */
  readonly seed?: number
  /** Where the clock of the simulated cache starts; it moves only by `advance`. */
  readonly startsAtMs?: number
  readonly validate?: Validate
  /** Awaited before each answer, with the number of requests so far. */
  readonly beforeAnswer?: (requests: number) => Promise<void>
}

export interface RunningModel {
  readonly url: string
  readonly requests: readonly LoggedRequest[]
  /** Turns of the scenario that were not asked for yet. */
  remaining(): number
  /** Lets time pass for the simulated cache. */
  advance(ms: number): void
  stop(): Promise<void>
}

/** Starts the scripted model on loopback. */
export async function startModel(options: StartModelOptions): Promise<RunningModel> {
  const { scenario, port = 0, log, latencyMs = 0, seed = 1, validate = validateBody } = options
  const model = createScriptedModel({ scenario, seed, validate })
  const requests: LoggedRequest[] = []
  let nowMs = options.startsAtMs ?? Date.UTC(2026, 0, 1)
  if (log !== undefined) writeFileSync(log, '')

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const method = request.method ?? 'GET'
    const url = request.url ?? '/'
    const route = routeOf(method, url.split('?')[0]!)
    const outcome = route === null ? null : model.respond(route, body, nowMs, betasOf(request))
    const status = outcome?.status ?? otherStatus(method, url)
    const logged: LoggedRequest = {
      method,
      path: url,
      headers: keptHeaders(request),
      authorizationHash: hashed(request.headers.authorization),
      api: route?.api ?? null,
      kind: outcome?.kind ?? 'other',
      turn: outcome?.turn ?? null,
      status,
      violations: outcome?.violations ?? [],
      usage: outcome?.usage ?? null,
      body,
    }
    requests.push(logged)
    if (log !== undefined) appendFileSync(log, `${JSON.stringify(logged)}\n`)
    if (latencyMs > 0) await sleep(latencyMs)
    await options.beforeAnswer?.(requests.length)
    if (outcome === null) sendOther(method, status, response)
    else send(outcome, response)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${bound}`,
    requests,
    remaining: model.remaining,
    advance(ms) {
      nowMs += ms
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  switch (request.headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(bytes).toString('utf8')
    case 'br':
      return brotliDecompressSync(bytes).toString('utf8')
    case 'deflate':
      return inflateSync(bytes).toString('utf8')
    case 'zstd':
      return Buffer.from(decompress(bytes)).toString('utf8')
    default:
      return bytes.toString('utf8')
  }
}

function hashed(text: string | undefined): string | null {
  return text === undefined ? null : createHash('sha256').update(text).digest('hex')
}

function betasOf({ headers }: IncomingMessage): string {
  return String(headers['anthropic-beta'] ?? '')
}

const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'cookie',
])

function keptHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const kept = Object.entries(request.headers)
    .filter(([name]) => !credentials.has(name))
    .map(([name, value]) => [name, String(value)])
  return Object.fromEntries(kept)
}

function send(outcome: Outcome, response: ServerResponse): void {
  if (outcome.events.length === 0) {
    response.writeHead(outcome.status, { 'content-type': 'application/json', ...outcome.headers })
    response.end(JSON.stringify(outcome.body))
    return
  }
  response.writeHead(outcome.status, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...outcome.headers,
  })
  for (const event of outcome.events) response.write(eventText(event))
  response.end()
}

function eventText({ event, data }: StreamEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

function otherStatus(method: string, url: string): number {
  const isModelList = method === 'GET' && /\/models(\?|$)/.test(url)
  return method === 'HEAD' || isModelList || url.startsWith('/api/hello') ? 200 : 404
}

function sendOther(method: string, status: number, response: ServerResponse): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  if (method === 'HEAD') response.end()
  else if (status === 200) response.end('{"object":"list","data":[],"has_more":false,"models":[]}')
  else response.end('{"type":"error","error":{"type":"not_found_error","message":"Not found"}}')
}
