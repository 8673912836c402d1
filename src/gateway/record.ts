import type { Receipt } from '../store/index.ts'
import type { Decided } from './decided.ts'
import type { Answered } from './forward.ts'
import type { ModelRoute } from './route.ts'
import type { UsageWriter } from './usage-writer.ts'

/** A request whose answer has ended. */
export interface AnsweredRequest {
  readonly model: ModelRoute
  readonly decided: Pick<Decided, 'receipt' | 'turn'>
  readonly answered: Answered
  /** When it came, in milliseconds since 1970. */
  readonly at: number
}

/** Records the outcome of a turn: its receipt, its statistics, and its usage for the engine. */
export function record(request: AnsweredRequest, usageWriter: UsageWriter): void {
  const { turn } = request.decided
  if (turn === null) return
  const { branch, writer } = turn
  const { usage } = request.answered
  const besides = { receipts: [receiptOf(request)], statistics: statisticsOf(request) }
  // Usage excludes what the provider cleared, so it cannot be compared with the request as it was sent.
  const comparable = usage?.cleared ? null : usage
  const isNew = branch?.noteAnswer(turn, comparable, besides) ?? false
  if (branch === null) writer.noteBesides(besides)
  usageWriter.writeSoon(writer)
  // A newly learned cache lifetime affects the next requests of every session.
  if (isNew) void usageWriter.settle()
}

function receiptOf({
  model: { format },
  decided: { receipt, turn },
  answered: { status, usage, firstByteMs, error },
  at,
}: AnsweredRequest): Receipt {
  const { bypass, tokens, opened, saved } = receipt
  return {
    kind: 'request',
    at,
    format,
    model: turn?.model ?? null,
    turn: turn?.turn ?? null,
    bypass,
    tokens,
    opened,
    saved,
    status,
    usage,
    firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
    ...(error === null ? {} : { error }),
  }
}

function statisticsOf({
  decided: { receipt },
  answered: { usage },
}: AnsweredRequest): Readonly<Record<string, number>> {
  const { bypass, tokens, opened, saved } = receipt
  return {
    requests: 1,
    tokensBefore: tokens?.before ?? 0,
    tokensAfter: tokens?.after ?? 0,
    savedDollars: saved ?? 0,
    epochs: opened === null ? 0 : 1,
    bypasses: bypass === null ? 0 : 1,
    ...(usage === null
      ? {}
      : {
          inputTokens: usage.input,
          outputTokens: usage.output,
          cacheReadTokens: usage.cacheRead,
          cacheWriteTokens: usage.cacheWrite,
          ...(usage.cleared === undefined ? {} : { clearedTokens: usage.cleared }),
        }),
  }
}
