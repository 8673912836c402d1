import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from './access.ts'
import { openRequest } from './forward.ts'
import { answerHeaders, requestHeaders } from './forward-headers.ts'

/** Bytes that a client may send before its handshake is answered. */
const earlyBytes = 65_536
/** How long a half-closed connection may stay open. */
const lingerMs = 5_000

export interface TunnelOptions {
  readonly upstream: URL
  readonly path: string
  /** The receipt header of a plain answer. */
  readonly receipt: string
  readonly onBroken: (error: Error) => void
}

/** Connects a client that asks for another protocol with the upstream, byte for byte in both directions. */
export function tunnel(
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
  { upstream, path, receipt, onBroken }: TunnelOptions,
): void {
  const headers = [
    ...requestHeaders(request, { host: upstream.host, changedLength: null }),
    ...['connection', 'Upgrade', 'upgrade', request.headers.upgrade ?? ''],
  ]
  // The upstream may have closed a kept connection meanwhile.
  const outgoing = openRequest(request, upstream, path, { headers, agent: false })
  const early = head.length > 0 ? [head] : []
  let isAnswered = false
  // Only reading shows that a client has closed the connection.
  const read = (part: Buffer): void => {
    early.push(part)
    if (early.reduce((sum, { length }) => sum + length, 0) > earlyBytes) leave()
  }
  const leave = (): void => void outgoing.destroy()
  client.on('data', read).on('end', leave).on('close', leave)
  outgoing.on('upgrade', (answer: IncomingMessage, server: Socket, rest: Buffer) => {
    isAnswered = true
    server.on('error', onBroken)
    if (client.destroyed) {
      server.destroy()
      return
    }
    client.off('data', read).off('end', leave).off('close', leave)
    client.write(headOf(answer, answer.rawHeaders), 'latin1')
    if (rest.length > 0) client.write(rest)
    for (const part of early) server.write(part)
    join(client, server)
  })
  outgoing.on('response', (answer) => {
    isAnswered = true
    // The body is written without its chunks, so that only the end of the connection ends it.
    const headers = [...answerHeaders(answer, receipt), 'connection', 'close']
    client.write(headOf(answer, headers), 'latin1')
    answer.pipe(client)
    answer.on('error', () => client.resetAndDestroy())
    answer.on('end', () => linger(client))
  })
  outgoing.on('error', (error) => {
    if (client.destroyed || client.readableEnded) client.destroy()
    else if (isAnswered) client.resetAndDestroy()
    else {
      onBroken(error)
      const message = `${upstream.host} did not answer the handshake`
      refuseUpgrade(client, { status: 502, message })
    }
  })
  outgoing.end()
}

function join(client: Socket, server: Socket): void {
  server.pipe(client).pipe(server)
  server.on('error', () => client.resetAndDestroy())
  client.on('error', () => server.resetAndDestroy())
  server.on('close', () => client.destroySoon())
  client.on('close', () => server.destroySoon())
  // Nothing reports a reset that comes after the client's end.
  client.on('end', () => linger(client))
}

/** Answers in place of an upgrade, and closes the connection. */
export function refuseUpgrade(client: Socket, { status, message }: Refusal): void {
  const body = JSON.stringify({ type: 'error', error: { type: 'palimpsest', message } })
  const lines = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'content-type: application/json',
    ...(status === 429 || status === 503 ? ['retry-after: 1'] : []),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  client.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  // Closing a connection with unread bytes would reset it before the client has read the answer.
  client.resume()
  const timer = setTimeout(() => client.destroy(), lingerMs)
  client.once('close', () => clearTimeout(timer))
}

/** Closes a half-closed connection once it is idle. */
function linger(client: Socket): void {
  client.resume()
  client.setTimeout(lingerMs, () => client.destroy())
}

function headOf(
  { statusCode, statusMessage }: IncomingMessage,
  headers: readonly string[],
): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`]
  for (let at = 0; at + 1 < headers.length; at += 2)
    lines.push(`${headers[at]}: ${headers[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
