import { estimateTokens } from '../core/record/tokens.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { Body, BodyFormatName, ItemChange, RequestRead, Violation } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import { commonPrefixLength } from '../formats/json/document.ts'
import { joined, type PassedBody, sharedPart, shortened } from './passed-body.ts'

/** A request as it goes out. */
export interface Outgoing {
  /** The very body that came, when nothing is different. */
  readonly body: Body
  /** Estimated tokens that it has less than the original. */
  readonly removedTokens: number
  /** The rule that our changes would have broken, so that the original goes out. */
  readonly violation: Violation | null
  /** For the next request; null when that has to begin anew. */
  readonly passed: PassedBody | null
}

export interface OutgoingOptions {
  readonly model: string | null
  /** What went out as the request before, when this one goes on from it. */
  readonly before: PassedBody | null
}

/** Writes changes into a body, and takes them back as a whole when the provider would not accept it. */
export function outgoing(
  format: BodyFormatName,
  read: RequestRead<Body>,
  changes: readonly ProjectedChange[],
  options: OutgoingOptions,
): Outgoing {
  const { before } = options
  const written =
    (before !== null && writeOn(format, read, changes, before)) || write(format, read, changes)
  const { sent, refused } = written
  const violation =
    sent.source === read.source ? null : firstViolation(format, read, written, options)
  if (violation !== null) {
    return { body: read.source, removedTokens: 0, violation, passed: null }
  }
  let removedTokens = 0
  for (const change of changes) {
    if (!refused.has(change)) removedTokens += tokensRemoved(change, read)
  }
  const passed = { original: read, sent, changes, refused }
  return { body: sent.source, removedTokens, violation, passed }
}

interface Written {
  readonly sent: RequestRead<Body>
  readonly refused: ReadonlySet<ProjectedChange>
  /** How many messages were written before, and are known to be right. */
  readonly known: number
}

function write(
  format: BodyFormatName,
  read: RequestRead<Body>,
  changes: readonly ProjectedChange[],
): Written {
  if (changes.length === 0) return { sent: read, refused: new Set(), known: 0 }
  const { source, refused } = rewritten(format, read, changes, 0)
  const sent = source === read.source ? read : bodyFormats[format].read(source)
  return { sent, refused, known: 0 }
}

/** Writes only what the request before did not have. */
function writeOn(
  format: BodyFormatName,
  read: RequestRead<Body>,
  changes: readonly ProjectedChange[],
  before: PassedBody,
): Written | null {
  const part = sharedPart(read, changes, before)
  if (part === null || before.sent === before.original) return null
  const added = changes.slice(part.changes)
  const from = part.originalEnd
  const { source: rest, refused } = rewritten(format, read, added, from)
  const source = joined(before, rest, part)
  if (source === null) return null
  const sent = bodyFormats[format].read(source, before.sent)
  if (sent.problem !== null || sent.messages.length !== read.messages.length) return null
  return { sent, refused: new Set([...before.refused, ...refused]), known: part.messages }
}

function rewritten(
  format: BodyFormatName,
  read: RequestRead<Body>,
  changes: readonly ProjectedChange[],
  from: number,
): { readonly source: Body; readonly refused: ReadonlySet<ProjectedChange> } {
  const { source, refused } = bodyFormats[format].rewrite(read, changes, from)
  const left = new Set<ItemChange>(refused.map(({ change }) => change))
  return { source, refused: new Set(changes.filter((change) => left.has(change))) }
}

/** Says that something before reasoning was changed. The provider compares with what it was sent, not with what came. */
const prefixRule = 'anthropic/prefix-changed'

/** What is wrong with the changed request and was not with the original. */
function firstViolation(
  format: BodyFormatName,
  read: RequestRead<Body>,
  { sent, known }: Written,
  { model, before }: OutgoingOptions,
): Violation | null {
  const { validate, validateChange } = bodyFormats[format]
  const options = model === null ? {} : { model }
  const short = known === 0 ? null : shortened(read, sent, known)
  const [original, after] = short ?? [read.source, sent.source]
  // Nothing that is new was changed, and what is older was checked.
  const isSame =
    original.length === after.length && commonPrefixLength(original, after) === after.length
  if (short !== null && isSame) return null
  const broken = validateChange(original, after, options).find(({ rule }) => rule !== prefixRule)
  if (broken !== undefined) return broken
  // What was written on has what went out before as its beginning.
  if (known === 0 && before !== null) {
    const since = validateChange(before.sent.source, sent.source, options)
    const unbound = since.find(({ rule }) => rule === prefixRule)
    if (unbound !== undefined) return unbound
  }
  const found = validate(after, options)
  if (found.length === 0) return null
  const same = new Set(validate(original, options).map(({ rule, where }) => `${rule} ${where}`))
  return found.find(({ rule, where }) => !same.has(`${rule} ${where}`)) ?? null
}

/** A decision's change is the same object in every request that shows it, so that each is counted once. */
const counted = new WeakMap<ProjectedChange, number>()

function tokensRemoved(change: ProjectedChange, { messages }: RequestRead<Body>): number {
  const known = counted.get(change)
  if (known !== undefined) return known
  const original = messages[change.message]?.items[change.item]?.text ?? ''
  const removed = estimateTokens(original) - estimateTokens(change.text ?? '')
  counted.set(change, removed)
  return removed
}
