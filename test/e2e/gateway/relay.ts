import { createServer, type IncomingHttpHeaders, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RelayedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Relay {
  readonly url: string
  stop(): void
}

export interface RelayOptions {
  /** Where a request goes, and with which headers besides its own. */
  pass(request: RelayedRequest): Promise<{ readonly to: string; readonly headers?: object }>
  onAnswer?(request: RelayedRequest, status: number, headers: IncomingHttpHeaders): void
}

/** Stands between two programs and passes everything on as it came. */
export async function startRelay({ pass, onAnswer }: RelayOptions): Promise<Relay> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const relayed = {
      path: request.url ?? '/',
      headers: request.headers,
      body: Buffer.concat(parts),
    }
    const { to, headers = {} } = await pass(relayed)
    const { method } = request
    const onward = send(
      `${to}${relayed.path}`,
      { method, headers: { ...request.headers, ...headers, connection: 'close' } },
      (answer) => {
        onAnswer?.(relayed, answer.statusCode ?? 0, answer.headers)
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.on('error', () => response.destroy()).pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    onward.end(relayed.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
