import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came in, byte for byte. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  /** Names and values follow each other, as they were spelled. */
  readonly rawHeaders: readonly string[]
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly sha256: string
}

export type Answer = (response: ServerResponse, received: ReceivedRequest) => void | Promise<void>

export interface RecordingUpstream {
  readonly url: string
  readonly received: readonly ReceivedRequest[]
  /** How the next requests are answered. */
  answerWith(answer: Answer): void
  stop(): Promise<void>
}

export const plainAnswer: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"id":"msg_1","type":"message","usage":{"input_tokens":10,"output_tokens":2}}')
}

/** A provider that keeps everything it is sent, and says what a test wants it to say. */
export async function startRecordingUpstream(): Promise<RecordingUpstream> {
  const received: ReceivedRequest[] = []
  let answer = plainAnswer
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    try {
      for await (const part of request) parts.push(part as Buffer)
    } catch {
      return
    }
    const body = Buffer.concat(parts)
    const { method = '', url = '', rawHeaders, headers } = request
    const each = { method, url, rawHeaders, headers, body, sha256: hash('sha256', body) }
    received.push(each)
    await answer(response, each)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answerWith: (next) => {
      answer = next
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers with usage: what is the same as at the beginning of the request before is read from the cache. */
export function countingAnswer(): Answer {
  let before = ''
  return (response, { body }) => {
    const text = String(body)
    let same = 0
    while (same < text.length && text[same] === before[same]) same++
    before = text
    const [input, read] = [Math.round(text.length / 4), Math.round(same / 4)]
    const usage = {
      input_tokens: 0,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: input - read,
      output_tokens: 20,
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'msg_1', type: 'message', usage }))
  }
}
