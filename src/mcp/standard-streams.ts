import { PassThrough, type Readable, type Writable } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { McpParts } from './parts.ts'
import { createMcpServer } from './server.ts'

export interface StandardStreams {
  readonly input: Readable
  /** Only the protocol is written to it. */
  readonly output: Writable
}

export interface Serving {
  /** Resolves when the client disconnects. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** How long to wait for open requests after the input has ended. */
const patienceMs = 10_000

/** Serves one client, of the current protocol or an earlier one. */
export function serveStandardStreams(parts: McpParts, streams: StandardStreams): Serving {
  const transport = new PatientTransport(streams)
  const handle = serveStdio(() => createMcpServer(parts), {
    transport,
    onerror: (error) => parts.onFault(error),
  })
  return { ended: transport.ended, close: () => handle.close() }
}

/** Delays the end of the input until all requests are answered, so that `palimpsest mcp < requests.jsonl` works. */
class PatientTransport extends StdioServerTransport {
  readonly ended: Promise<void>
  readonly #input: PassThrough
  readonly #unanswered: Set<string | number> = new Set()
  #isOver = false
  #patience: NodeJS.Timeout | undefined

  constructor({ input, output }: StandardStreams) {
    const held = new PassThrough()
    super(held, output)
    this.#input = held
    input.pipe(held, { end: false })
    input.once('end', () => this.#finish()).once('close', () => this.#finish())
    this.ended = new Promise((resolve) => held.once('close', resolve))
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage
    this.onmessage = (message) => {
      this.#notice(message)
      deliver?.(message)
    }
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message)
    } finally {
      if (!('method' in message) && message.id !== undefined) this.#settle(message.id)
    }
  }

  override async close(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#patience)
    await super.close()
    this.#input.destroy()
  }

  #notice(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if ('id' in message) this.#unanswered.add(message.id)
    const cancelled = message.params?.requestId
    if (message.method !== 'notifications/cancelled') return
    if (typeof cancelled === 'string' || typeof cancelled === 'number') this.#settle(cancelled)
  }

  #settle(id: string | number): void {
    this.#unanswered.delete(id)
    if (this.#isOver) this.#endWhenAnswered()
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#patience = setTimeout(() => this.#input.end(), patienceMs)
    this.#endWhenAnswered()
  }

  #endWhenAnswered(): void {
    if (this.#unanswered.size > 0) return
    // The last message may not have reached the reader yet.
    const { writableLength, readableLength } = this.#input
    if (writableLength + readableLength === 0) this.#input.end()
    else setImmediate(() => this.#endWhenAnswered())
  }
}
