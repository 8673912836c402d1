import http from 'node:http'

const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

export interface Sent {
  readonly status: number
  readonly receipt: string
  /** Until the first byte of the answer's body. */
  readonly firstByteMs: number
}

/** Sends a body and waits for the whole answer, which the upstream streams for that long. */
export function send(
  url: string,
  body: Buffer,
  session: string,
  streamMs: number = 0,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let firstByteMs = Number.NaN
    const request = http.request(
      `${url}/v1/messages`,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          'x-api-key': 'bench',
          'x-session-id': session,
          'x-stream-ms': String(streamMs),
        },
      },
      (response) => {
        response.once('data', () => {
          firstByteMs = performance.now() - startedAt
        })
        response.resume()
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            receipt: String(response.headers['x-palimpsest'] ?? ''),
            firstByteMs,
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
