import { isJsonObject, type JsonObject, parseJson } from '../../core/words/json.ts'

/** A call's body, or the answer that refuses it. */
export type ReadCall =
  | { readonly kind: 'call'; readonly body: Buffer<ArrayBuffer>; readonly call: JsonObject }
  | { readonly kind: 'refused'; readonly answer: Response }

/** As on the model routes. */
const largestBodyBytes = 64 * 1024 * 1024

export async function readCall(request: Request): Promise<ReadCall> {
  if (request.method !== 'POST') return refused(405, 'use POST')
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request.body ?? []) {
    parts.push(part)
    length += part.length
    if (length > largestBodyBytes) return refused(413, 'the body is larger than 64 MB')
  }
  const body = Buffer.concat(parts)
  const call = parseJson(body.toString('utf8'))
  return isJsonObject(call)
    ? { kind: 'call', body, call }
    : refused(400, 'the body must be a JSON object')
}

/** In the shape that clients of every provider can show. */
export function refusal(status: number, message: string): Response {
  return Response.json({ error: { type: 'invalid_request', message } }, { status })
}

function refused(status: number, message: string): ReadCall {
  return { kind: 'refused', answer: refusal(status, message) }
}
