import type { Anchor } from '../core/record/branches.ts'
import type { Body, BodyFormatName, RequestRead } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import { commonPrefixLength } from '../formats/json/document.ts'
import type { Branch } from './branch.ts'
import { type SentMessage, sentMessages } from './placement.ts'

/** A body as it was read, with its messages' hashes. */
export interface ReadRequest {
  readonly read: RequestRead<Body>
  readonly sent: readonly SentMessage[]
  /** The branch whose last request it was read from. */
  readonly from: Branch | null
  /** Up to where its bytes are those of that branch's last request. */
  readonly since: Anchor | undefined
}

/** Reads a body. What it has in common with the last request of one of the branches is not read again. */
export function readRequest(
  format: BodyFormatName,
  body: Body,
  candidates: Iterable<Branch>,
): ReadRequest {
  const from = closest(body, candidates)
  const read = bodyFormats[format].read(body, from?.read ?? undefined)
  const sent = sentMessages(read.messages, from?.sent.slice(0, read.shared) ?? [])
  return { read, sent, from: read.shared > 0 ? from : null, since: from?.anchorAt(read.shared) }
}

function closest(body: Body, candidates: Iterable<Branch>): Branch | null {
  const read = [...candidates].filter((branch) => branch.read !== null)
  // The format finds out itself what both have in common.
  if (read.length <= 1) return read[0] ?? null
  let best: Branch | null = null
  let longest = 0
  for (const branch of read) {
    if (branch.read === null) continue
    const length = commonPrefixLength(branch.read.source, body)
    if (length <= longest) continue
    longest = length
    best = branch
  }
  return best
}
