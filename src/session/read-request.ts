import type { AsRecorded } from '../config/secret-files.ts'
import type { Anchor } from '../core/record/branches.ts'
import type { Body, BodyFormatName, RequestRead } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import { commonPrefixLength } from '../formats/json/document.ts'
import type { Branch } from './branch.ts'
import { type SentMessage, sentMessages } from './placement.ts'

/** A parsed body with the hashes of its messages. */
export interface ReadRequest {
  readonly read: RequestRead<Body>
  readonly sent: readonly SentMessage[]
  /** The branch whose last request was reused for parsing. */
  readonly from: Branch | null
  /** The end of the part that has the same bytes as that branch's last request. */
  readonly since: Anchor | undefined
}

/** Parses a body. The part that it shares with the last request of a candidate branch is not parsed again. */
export function readRequest(
  format: BodyFormatName,
  body: Body,
  candidates: Iterable<Branch>,
  asRecorded: AsRecorded,
): ReadRequest {
  const from = closest(body, candidates)
  const read = bodyFormats[format].read(body, from?.read ?? undefined)
  const recorded = asRecorded(read.messages, read.shared)
  const sent = sentMessages(recorded, from?.sent.slice(0, read.shared) ?? [])
  return { read, sent, from: read.shared > 0 ? from : null, since: from?.anchorAt(read.shared) }
}

function closest(body: Body, candidates: Iterable<Branch>): Branch | null {
  const read = [...candidates].filter((branch) => branch.read !== null)
  // With one candidate there is nothing to choose; the format finds the shared part itself.
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
