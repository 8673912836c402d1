import { estimateTokens } from '../core/record/tokens.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { Body, BodyFormatName, ItemChange, RequestRead, Violation } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import { commonPrefixLength } from '../formats/json/document.ts'
import type { Branch, ForwardedBody } from '../session/branch.ts'
import { joinAfter, sharedPart, withoutShared } from './shared-part.ts'

export interface RewrittenBody {
  /** The same object as the original when nothing is different. */
  readonly body: Body
  /** Estimated tokens that were removed. */
  readonly removedTokens: number
  /** The rule that our changes would have broken; `body` is then the original. */
  readonly violation: Violation | null
  /** What the next request can continue from; null when it has to be written whole. */
  readonly forwarded: ForwardedBody | null
}

export interface RewriteOptions {
  readonly model: string | null
  /** What was sent as the request before, when this one continues it. */
  readonly before: ForwardedBody | null
  /** The branch whose last request this is, which has counted its texts; null when it is not a turn. */
  readonly branch: Pick<Branch, 'tokensRemovedBy'> | null
}

/** Writes changes into a body. Drops all of them when the provider would refuse the result. */
export function rewriteBody(
  format: BodyFormatName,
  read: RequestRead<Body>,
  changes: readonly ProjectedChange[],
  options: RewriteOptions,
): RewrittenBody {
  const { before, branch } = options
  const written =
    (before !== null && writeAfter(before, format, read, changes)) ||
    writeWhole(before, format, read, changes)
  const { sent, refused } = written
  const violation =
    sent.source === read.source ? null : firstViolation(format, read, written, options)
  if (violation !== null) {
    return { body: read.source, removedTokens: 0, violation, forwarded: null }
  }
  let removedTokens = 0
  for (const change of changes) {
    if (refused.has(change)) continue
    removedTokens += branch?.tokensRemovedBy(change) ?? tokensRemovedFrom(read, change)
  }
  const forwarded = { original: read, sent, changes, refused }
  return { body: sent.source, removedTokens, violation, forwarded }
}

interface Written {
  readonly sent: RequestRead<Body>
  readonly refused: ReadonlySet<ProjectedChange>
  /** How many messages were sent before, and were found valid. */
  readonly known: number
}

function writeWhole(
  before: ForwardedBody | null,
  format: BodyFormatName,
  read: RequestRead<Body>,
  changes: readonly ProjectedChange[],
): Written {
  if (changes.length === 0) return { sent: read, refused: new Set(), known: 0 }
  const { source, refused } = applyChanges(format, read, changes, 0)
  const sent = source === read.source ? read : bodyFormats[format].read(source, before?.sent)
  return { sent, refused, known: 0 }
}

/** Writes only what the request before did not have; null when that is not possible. */
function writeAfter(
  before: ForwardedBody,
  format: BodyFormatName,
  read: RequestRead<Body>,
  changes: readonly ProjectedChange[],
): Written | null {
  const part = sharedPart(read, changes, before)
  if (part === null || before.sent === before.original) return null
  const added = changes.slice(part.changes)
  const from = part.originalEnd
  const { source: rest, refused } = applyChanges(format, read, added, from)
  const source = joinAfter(before, part, rest)
  if (source === null) return null
  const sent = bodyFormats[format].read(source, before.sent)
  if (sent.problem !== null || sent.messages.length !== read.messages.length) return null
  return { sent, refused: new Set([...before.refused, ...refused]), known: part.messages }
}

function applyChanges(
  format: BodyFormatName,
  read: RequestRead<Body>,
  changes: readonly ProjectedChange[],
  from: number,
): { readonly source: Body; readonly refused: ReadonlySet<ProjectedChange> } {
  const { source, refused } = bodyFormats[format].rewrite(read, changes, from)
  const left = new Set<ItemChange>(refused.map(({ change }) => change))
  return { source, refused: new Set(changes.filter((change) => left.has(change))) }
}

/** The first rule that the changed request breaks and the original does not. */
function firstViolation(
  format: BodyFormatName,
  read: RequestRead<Body>,
  { sent, known }: Written,
  { model, before }: RewriteOptions,
): Violation | null {
  const short = known === 0 ? null : withoutShared(read, sent, known)
  const [original, after] = short ?? [read.source, sent.source]
  // Nothing new was changed, and what is older was checked before.
  const isSame =
    original.length === after.length && commonPrefixLength(original, after) === after.length
  if (short !== null && isSame) return null
  return bodyFormats[format].validateRewrite(original, after, {
    ...(model === null ? {} : { model }),
    // A body that was written after the one before begins with the same bytes.
    ...(known === 0 && before !== null ? { sentBefore: before.sent.source } : {}),
  })
}

function tokensRemovedFrom({ messages }: RequestRead<Body>, change: ProjectedChange): number {
  const original = messages[change.message]?.items[change.item]?.text ?? ''
  return estimateTokens(original) - estimateTokens(change.text ?? '')
}
