import type { IncomingMessage } from 'node:http'

/** Headers that belong to one connection (RFC 9110, 7.6.1), or that each side sets by itself. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The request header that switches pruning off, and the answer header with the receipt. */
export const receiptHeader = 'x-palimpsest'
export const tokenHeader = 'x-palimpsest-token'
/** The header in which some gateways that call `/v1/compress` send the token. */
export const proxyTokenHeader = 'x-headroom-proxy-token'

export interface RequestHeaderOptions {
  readonly host: string
  /** Length of a changed body, which is not compressed; null for the original. */
  readonly changedLength: number | null
  /** A header with one more value, behind those that the client has. */
  readonly addedHeader?: readonly [name: string, value: string] | undefined
}

/** A request's headers for the upstream, in their order and spelling. Names and values alternate. */
export function requestHeaders(
  request: IncomingMessage,
  { host, changedLength, addedHeader }: RequestHeaderOptions,
): readonly string[] {
  const headers: string[] = ['host', host]
  const [addedName, added] = addedHeader ?? []
  const dropped = namedIn(request.headers.connection)
  for (const [name, value] of pairs(request.rawHeaders)) {
    const key = name.toLowerCase()
    if (key === 'host' || key === receiptHeader || key === tokenHeader || key === 'expect') continue
    if (ofConnection.has(key) || dropped.has(key)) continue
    if (changedLength !== null && (key === 'content-length' || key === 'content-encoding')) continue
    headers.push(name, key === addedName ? withValue(value, added) : value)
  }
  if (addedHeader !== undefined && request.headers[addedHeader[0]] === undefined)
    headers.push(...addedHeader)
  if (changedLength !== null) headers.push('content-length', String(changedLength))
  else if (request.headers['transfer-encoding'] !== undefined)
    headers.push('transfer-encoding', 'chunked')
  return headers
}

/** An answer's headers for the client, with the receipt. */
export function answerHeaders(answer: IncomingMessage, receipt: string): readonly string[] {
  const headers: string[] = []
  const dropped = namedIn(answer.headers.connection)
  for (const [name, value] of pairs(answer.rawHeaders)) {
    const key = name.toLowerCase()
    if (key === receiptHeader || ofConnection.has(key) || dropped.has(key)) continue
    headers.push(name, value)
  }
  headers.push(receiptHeader, receipt)
  return headers
}

function withValue(values: string, added: string | undefined): string {
  const isThere = values.split(',').some((each) => each.trim() === added)
  return added === undefined || isThere ? values : `${values},${added}`
}

function namedIn(connection: string | undefined): ReadonlySet<string> {
  return new Set(
    (connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
}

function* pairs(raw: readonly string[]): Iterable<readonly [name: string, value: string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at] as string, raw[at + 1] as string]
}
