import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as send,
} from 'node:http'
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
  /** Requests with the same name get the same answer, so that a model goes on only once where an answer was lost on its way. */
  nameOf?(request: RelayedRequest): string
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Stands between two programs and passes everything on as it came. */
export async function startRelay({ pass, onAnswer, nameOf }: RelayOptions): Promise<Relay> {
  const answers = new Map<string, Promise<Answer>>()

  const server = createServer(async (request, response) => {
    const relayed = {
      path: request.url ?? '/',
      headers: request.headers,
      body: await whole(request),
    }
    const { to, headers = {} } = await pass(relayed)
    const name = nameOf?.(relayed)
    const known = name === undefined ? undefined : answers.get(name)
    if (known !== undefined) {
      const { status, headers: kept, body } = await known
      response.writeHead(status, kept).end(body)
      return
    }
    const { method } = request
    const onward = send(
      `${to}${relayed.path}`,
      { method, headers: { ...request.headers, ...headers, connection: 'close' } },
      (answer) => {
        const status = answer.statusCode ?? 0
        onAnswer?.(relayed, status, answer.headers)
        if (name !== undefined && status === 200)
          answers.set(
            name,
            whole(answer).then((body) => ({ status, headers: answer.headers, body })),
          )
        response.writeHead(status, answer.headers)
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

function whole(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  return new Promise((resolve, reject) => {
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => resolve(Buffer.concat(parts)))
    stream.on('error', reject)
  })
}
