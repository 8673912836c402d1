import { cutEnd, oneLine } from '../core/render/cut.ts'
import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import type { Item } from '../core/words/item.ts'
import { priceReceipts } from '../report/priced-receipts.ts'
import type { SessionSummary } from '../store/index.ts'
import { agentName } from './agent-name.ts'
import type { DashboardParts } from './dashboard.ts'
import { createTotals } from './receipt-totals.ts'
import type { ReadSession } from './session-detail.ts'
import { isRecorded, type SessionSource } from './session-source.ts'
import type { StoredSessions } from './stored-sessions.ts'
import type { RequestPoint, SessionRow } from './types.ts'

const longestTitle = 120

export interface RowOptions {
  readonly models?: readonly ModelOverride[] | undefined
  readonly isPaused: boolean
}

/** A session in one line. `points` are its requests if the session was replayed; receipts alone are faster. */
export function sessionRow(
  source: SessionSource,
  { models, isPaused }: RowOptions,
  points: readonly RequestPoint[] = [],
): SessionRow {
  const { key, id, parent, origin, folder, createdAt, usedAt, recording, receipts } = source
  const record = source.record()
  const counter = createTotals(models)
  for (const each of priceReceipts(receipts, models)) counter.add(each, id)
  const totals = counter.totals()
  const lastReceipt = receipts.findLast(({ tokens }) => tokens !== null)
  const lastPoint = points.at(-1)
  const model = receipts.findLast((each) => each.model !== null)?.model ?? recording.model
  const agent = receipts.findLast((each) => each.agent !== null)?.agent ?? null
  const { before = 0, after = 0 } = lastReceipt?.tokens ?? {}
  const summed = totals.requests + totals.outputs > 0 ? totals.tokens : sumOf(points)
  return {
    key,
    id,
    parent,
    agent: agentName(agent, origin),
    model,
    project: folder,
    title: titleOf(record.items),
    createdAt,
    usedAt,
    turns: Math.max(points.length, requestsIn(source)),
    items: record.items.length,
    context: lastPoint?.tokens ?? { with: after, without: before },
    contextLimit: modelFacts(model, models).contextLimit,
    tokens: summed,
    savedDollars: totals.savedDollars ?? savedIn(points),
    cache: totals.cache,
    restored: totals.restored,
    isPaused,
    billing: totals.billing,
    isReplayed: isRecorded(source),
  }
}

function requestsIn({ recording }: SessionSource): number {
  return recording.events.filter(
    (event) => event.kind === 'message' && event.message.role === 'assistant',
  ).length
}

/** The user's first words; agents put their own reminders before them in tags. */
function titleOf(items: readonly Item[]): string {
  const said = items.filter((item) => item.kind === 'text' && item.role === 'user')
  const plain = said.find(({ text }) => !/^\s*</.test(text)) ?? said[0]
  return plain === undefined ? '' : cutEnd(oneLine(plain.text), longestTitle)
}

function sumOf(points: readonly RequestPoint[]): SessionRow['tokens'] {
  return points.reduce(
    (sum, { tokens }) => ({
      with: sum.with + tokens.with,
      without: sum.without + tokens.without,
    }),
    { with: 0, without: 0 },
  )
}

function savedIn(points: readonly RequestPoint[]): number | null {
  const saved = points.flatMap(({ savedDollars }) => savedDollars ?? [])
  return saved.length === 0 ? null : saved.reduce((sum, each) => sum + each, 0)
}

/** The rows of the sessions page, each computed once until its session changes. */
export interface SessionRows {
  row(summary: SessionSummary): Promise<SessionRow>
  /** The row of a session that was read. */
  rowOf(source: SessionSource, session?: ReadSession): SessionRow
  /** The last used sessions that have messages. */
  all(): Promise<readonly SessionRow[]>
}

const mostSessions = 500

export function createSessionRows(
  sessions: StoredSessions,
  { config, pauses }: Pick<DashboardParts, 'config' | 'pauses'>,
): SessionRows {
  const rowsByNumber = new Map<number, { readonly version: string; readonly row: SessionRow }>()

  function isPaused({ id, parent }: Pick<SessionSource, 'id' | 'parent'>): boolean {
    return pauses.isPaused(id, ...(parent === null ? [] : [parent]))
  }

  function rowOf(source: SessionSource, session?: ReadSession): SessionRow {
    const state = { models: config.models, isPaused: isPaused(source) }
    return sessionRow(source, state, session?.requests)
  }

  async function row(summary: SessionSummary): Promise<SessionRow> {
    const version = sessions.version(summary)
    const known = rowsByNumber.get(summary.number)
    if (known?.version === version) return { ...known.row, isPaused: isPaused(summary) }
    const made = rowOf(await sessions.sourceOf(summary))
    rowsByNumber.set(summary.number, { version, row: made })
    return made
  }

  return {
    row,
    rowOf,
    async all() {
      const found: SessionRow[] = []
      for (const summary of (await sessions.all()).slice(0, mostSessions))
        if (summary.messages > 0) found.push(await row(summary))
      return found
    },
  }
}
