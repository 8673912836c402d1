import type { Anchor } from '../core/record/branches.ts'
import type { Body, BodyFormatName, RequestRead } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import { commonPrefixLength } from '../formats/json/document.ts'
import type { Line } from './line.ts'
import { type SentMessage, sentMessages } from './placement.ts'

/** A body as it was read, with its messages' hashes. */
export interface ReadRequest {
  readonly read: RequestRead<Body>
  readonly sent: readonly SentMessage[]
  /** The line whose last request it was read on from. */
  readonly from: Line | null
  /** Up to where it is that line's history, by its bytes. */
  readonly since: Anchor | undefined
}

/** Reads a body. What it has in common with the last request of one of the lines is not read again. */
export function readRequest(
  format: BodyFormatName,
  body: Body,
  candidates: Iterable<Line>,
): ReadRequest {
  const from = closest(body, candidates)
  const read = bodyFormats[format].read(body, from?.read ?? undefined)
  const sent = sentMessages(read.messages, from?.sent.slice(0, read.shared) ?? [])
  const length = Math.min(read.shared, from?.anchor?.length ?? 0)
  const since = from?.anchor === undefined ? undefined : { branch: from.anchor.branch, length }
  return { read, sent, from: read.shared > 0 ? from : null, since }
}

function closest(body: Body, candidates: Iterable<Line>): Line | null {
  const read = [...candidates].filter((line) => line.read !== null)
  // Whoever reads on from it finds out what they have in common.
  if (read.length <= 1) return read[0] ?? null
  let best: Line | null = null
  let longest = 0
  for (const line of read) {
    if (line.read === null) continue
    const length = commonPrefixLength(line.read.source, body)
    if (length <= longest) continue
    longest = length
    best = line
  }
  return best
}
