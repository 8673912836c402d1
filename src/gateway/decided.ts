import { estimateTokens } from '../core/record/tokens.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import type { AwaitedTurn, Branch } from '../session/branch.ts'
import type { Clears } from './delegation.ts'
import type { RequestReceipt } from './receipt.ts'
import type { RewrittenBody } from './rewrite-body.ts'

/** The body that is sent in place of a request, and its receipt. */
export interface Decided {
  readonly body: Body
  readonly receipt: RequestReceipt
  /** The turn that the request starts; null when it is not a turn. */
  readonly turn: AwaitedTurn | null
  /** Clears that are left to the provider. */
  readonly clears: Clears | null
  /** An internal error, for the log. */
  readonly fault: unknown
}

export function bypassed(body: Body, reason: string, epoch: number | null = null): Decided {
  const receipt = { bypass: reason, tokens: null, epoch, opened: null, saved: null }
  return { body, receipt, turn: null, clears: null, fault: null }
}

export function unchanged(read: RequestRead<Body>): Decided {
  const size = sizeOf(read)
  const tokens = { before: size, after: size }
  const receipt = { bypass: null, tokens, epoch: 0, opened: null, saved: 0 }
  return { body: read.source, receipt, turn: null, clears: null, fault: null }
}

export interface DecidedAbout extends Omit<RequestReceipt, 'bypass' | 'tokens'> {
  /** The branch whose turn it is; null when it is not a turn. */
  readonly branch: Branch | null
  /** Its number, when it is one. */
  readonly turn?: number
}

export function rewritten(
  read: RequestRead<Body>,
  { body, removedTokens, violation }: RewrittenBody,
  { branch, turn: number = 0, ...about }: DecidedAbout,
): Decided {
  const before = sizeOf(read, branch)
  const bypass = violation === null ? null : `invalid ${violation.rule}`
  const tokens = { before, after: before - removedTokens }
  const prefix = branch === null ? {} : { prefix: branch.prefixTokens(read.prefix) }
  const receipt = { bypass, tokens, ...prefix, ...about }
  const turn = branch?.awaitAnswer(number) ?? null
  return { body, receipt, turn, clears: null, fault: violation }
}

function sizeOf({ prefix, messages }: RequestRead<Body>, branch: Branch | null = null): number {
  if (branch !== null) {
    const { system, tools } = branch.prefixTokens(prefix)
    return system + tools + branch.tokens
  }
  const head = estimateTokens(prefix.system) + estimateTokens(prefix.tools)
  const texts = messages.flatMap(({ items }) => items.map(({ text }) => text))
  return texts.reduce((sum, text) => sum + estimateTokens(text), head)
}
