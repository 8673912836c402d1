import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { requestHeaders } from './passing-headers.ts'
import { pathOn } from './upstreams.ts'

/** Joins a client that asks for another protocol with the upstream, byte for byte and in both directions. */
export function tunnel(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  { upstream, path }: { readonly upstream: URL; readonly path: string },
): void {
  const isSecure = upstream.protocol === 'https:'
  const send = isSecure ? https.request : http.request
  const outgoing = send({
    protocol: upstream.protocol,
    hostname: upstream.hostname.replace(/^\[|\]$/g, ''),
    port: upstream.port || (isSecure ? 443 : 80),
    method: request.method ?? 'GET',
    path: pathOn(upstream, path),
    headers: [
      ...requestHeaders(request, { host: upstream.host, changedLength: null }),
      'connection',
      'Upgrade',
      'upgrade',
      request.headers.upgrade ?? '',
    ],
  })
  const fail = (): void => refuseUpgrade(client, '502 Bad Gateway')
  outgoing.on('upgrade', (answer, server, rest) => {
    client.write(headOf(answer))
    if (rest.length > 0) client.write(rest)
    if (head.length > 0) server.write(head)
    server.pipe(client).pipe(server)
    server.on('error', () => client.destroy())
    client.on('error', () => server.destroy())
    server.on('close', () => client.destroy())
    client.on('close', () => server.destroy())
  })
  outgoing.on('response', (answer) => {
    client.write(headOf(answer))
    answer.pipe(client)
  })
  outgoing.on('error', fail)
  client.on('close', () => outgoing.destroy())
  outgoing.end()
}

export function refuseUpgrade(client: Duplex, status: string): void {
  client.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

function headOf(answer: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`]
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2)
    lines.push(`${answer.rawHeaders[at]}: ${answer.rawHeaders[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
