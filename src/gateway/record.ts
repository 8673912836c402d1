import type { ClientFacts } from '../formats/client-facts.ts'
import type { FormatName } from '../formats/format.ts'
import { isRefused } from '../report/priced-receipts.ts'
import type { StoredReceipt } from '../report/request-receipt.ts'
import type { Receipt } from '../store/index.ts'
import type { Decided } from './decided.ts'
import type { Answered } from './forward.ts'
import { seesEverything, type Viewer } from './tokens/viewer.ts'
import type { UsageWriter } from './usage-writer.ts'

/** A request whose answer has ended. */
export interface AnsweredRequest {
  readonly model: { readonly format: FormatName; readonly model: string | null }
  readonly decided: Pick<Decided, 'receipt' | 'turn'>
  readonly answered: Answered
  readonly client: ClientFacts
  /** When it came, in milliseconds since 1970. */
  readonly at: number
  readonly viewer?: Viewer
}

/** A request as the gateway reports it when its answer has ended. */
export interface RequestReport extends GatewayReceipt {
  /** The session's id in the store; null when the request is not a turn of one. */
  readonly session: string | null
  /** The folder that its agent works in, when known. */
  readonly folder: string | null
  /** The name of the token that the request showed. */
  readonly owner: string | null
}

/** Records the outcome of a turn: its receipt, its statistics, and its usage for the engine. */
export function record(request: AnsweredRequest, usageWriter: UsageWriter): RequestReport {
  const { turn } = request.decided
  const receipt = receiptOf(request)
  const { owner } = request.viewer ?? seesEverything
  const report = {
    ...receipt,
    session: turn?.session ?? null,
    folder: turn?.branch?.cwd ?? null,
    owner,
  }
  if (turn === null) return report
  const { branch, writer } = turn
  const { usage } = request.answered
  const besides = { receipts: [compact(receipt)], statistics: statisticsOf(request) }
  // Usage excludes what the provider cleared, so it cannot be compared with the request as it was sent.
  const comparable = usage?.cleared ? null : usage
  const isNew = branch?.noteAnswer(turn, comparable, besides) ?? false
  if (branch === null) writer.noteBesides(besides)
  usageWriter.writeSoon(writer)
  // A newly learned cache lifetime affects the next requests of every session.
  if (isNew) void usageWriter.settle()
  return report
}

interface GatewayReceipt extends StoredReceipt {
  readonly format: FormatName
  readonly firstByteMs: number | null
}

function receiptOf({
  model: { format, model: named },
  decided: { receipt, turn },
  answered: { status, usage, firstByteMs, error, limits },
  client,
  at,
}: AnsweredRequest): GatewayReceipt {
  const { bypass, tokens, opened, saved, restored = {}, relation = null, prefix = null } = receipt
  const { agentCut = null } = receipt
  return {
    kind: 'request',
    door: null,
    at,
    format,
    ...client,
    model: turn === null ? named : turn.model,
    turn: turn?.turn ?? null,
    bypass,
    tokens,
    prefix,
    opened,
    saved,
    restored,
    relation,
    agentCut,
    isPrefixChanged: receipt.isPrefixChanged === true,
    isPaused: receipt.isPaused === true,
    status,
    usage,
    limits,
    firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
    error,
  }
}

/** Without what is usual, so that a receipt stays small. */
function compact(receipt: GatewayReceipt): Receipt {
  const {
    door: _,
    restored,
    relation,
    agentCut,
    isPrefixChanged,
    isPaused,
    limits,
    error,
    agent,
    billing,
    ...rest
  } = receipt
  return {
    ...rest,
    ...(agent === null ? {} : { agent }),
    ...(billing === null ? {} : { billing }),
    ...(Object.keys(restored).length === 0 ? {} : { restored }),
    ...(relation === null || relation === 'grown' ? {} : { relation }),
    ...(agentCut === null ? {} : { agentCut }),
    ...(isPrefixChanged ? { isPrefixChanged } : {}),
    ...(isPaused ? { isPaused } : {}),
    ...(limits === null ? {} : { limits }),
    ...(error === null ? {} : { error }),
  }
}

function statisticsOf({
  decided: { receipt },
  answered: { status, usage },
}: AnsweredRequest): Readonly<Record<string, number>> {
  const { bypass, tokens, opened } = receipt
  const saved = isRefused({ status, usage }) ? null : receipt.saved
  return {
    requests: 1,
    tokensBefore: tokens?.before ?? 0,
    tokensAfter: tokens?.after ?? 0,
    savedDollars: saved ?? 0,
    epochs: opened === null ? 0 : 1,
    bypasses: bypass === null ? 0 : 1,
    ...Object.fromEntries(
      Object.entries(receipt.restored ?? {}).map(([how, count]) => [`restored.${how}`, count]),
    ),
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
