import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type JsonObject, parseJson } from '../../core/words/json.ts'
import type { BodyShare } from '../body-budget.ts'
import type { Arrival } from '../decision-queue.ts'
import { largestBodyBytes } from '../limits.ts'
import type { Viewer } from '../tokens/viewer.ts'

/** A call's body, or the answer that refuses it. */
export type ReadCall =
  | { readonly kind: 'call'; readonly body: Buffer<ArrayBuffer>; readonly call: JsonObject }
  | { readonly kind: 'refused'; readonly answer: Response }

/** How long a call waits until the bodies of others leave room for its own. */
const longestWaitMs = 5_000
const waitMs = 50

/** A call of one of the plug's routes. */
export interface PlugRequest {
  readonly request: Request
  readonly viewer: Viewer
  readonly arrived: Arrival
  /** The part of its body in the gateway's budget. */
  readonly share: BodyShare
}

export async function readCall({ request, share }: PlugRequest): Promise<ReadCall> {
  if (request.method !== 'POST') return refused(405, 'use POST')
  const parts: Uint8Array[] = []
  let length = 0
  // All of it before any of it is read, because calls that each wait for their rest would wait for each other.
  let reserved = Math.min(Number(request.headers.get('content-length')), largestBodyBytes)
  if (!(await hasRoom(share, reserved))) return tooManyBodies()
  for await (const part of request.body ?? []) {
    parts.push(part)
    length += part.length
    if (length > largestBodyBytes) return refused(413, 'the body is larger than 64 MB')
    if (length <= reserved) continue
    if (!(await hasRoom(share, length - reserved))) return tooManyBodies()
    reserved = length
  }
  const body = Buffer.concat(parts)
  const call = parseJson(body.toString('utf8'))
  return isJsonObject(call)
    ? { kind: 'call', body, call }
    : refused(400, 'the body must be a JSON object')
}

function tooManyBodies(): ReadCall {
  return refused(503, 'too many large bodies at once: try again')
}

async function hasRoom(share: BodyShare, bytes: number): Promise<boolean> {
  for (let waited = 0; !share.take(bytes); waited += waitMs) {
    if (waited >= longestWaitMs) return false
    await sleep(waitMs)
  }
  return true
}

/** In the shape that clients of every provider can show. */
export function refusal(status: number, message: string): Response {
  return Response.json({ error: { type: 'invalid_request', message } }, { status })
}

function refused(status: number, message: string): ReadCall {
  return { kind: 'refused', answer: refusal(status, message) }
}
