import type { IncomingMessage } from 'node:http'

export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return tokensIn(headers.upgrade).includes('websocket')
}

/**
 * The bytes of an upgrade request without its upgrade headers, and of its body so far: Node's parser stops after the headers
 * of such a request. A server may ignore an upgrade (RFC 9110, 7.8).
 */
export function withoutUpgrade(request: IncomingMessage, begin: Buffer): Buffer {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at] as string, rawHeaders[at + 1] as string]
    const key = name.toLowerCase()
    if (ofUpgrade.has(key)) continue
    if (key !== 'connection') lines.push(`${name}: ${value}`)
    else {
      const others = tokensIn(value).filter((token) => !ofUpgrade.has(token))
      if (others.length > 0) lines.push(`${name}: ${others.join(', ')}`)
    }
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), begin])
}

const ofUpgrade: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

function tokensIn(value: string | undefined): readonly string[] {
  return (value ?? '').split(',').map((token) => token.trim().toLowerCase())
}
