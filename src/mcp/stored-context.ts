import { contextInfo, fullnessLines } from '../agent/context-info.ts'
import { type AgentSession, placedItems, shownTokens } from '../agent/session.ts'
import { createProtection } from '../config/protection.ts'
import type { Engine } from '../core/engine.ts'
import { describeOperation } from '../core/render/index.ts'
import { modelFacts } from '../core/schedule/models/model-facts.ts'
import { createLedger } from '../core/session/ledger.ts'
import type { Ledger } from '../core/words/ledger.ts'
import { agentCutLines } from '../report/agent-cut-lines.ts'
import { readReceipt } from '../report/request-receipt.ts'
import { shortTokens } from '../report/short-tokens.ts'
import { historiesOf, type LoadedSession, type Receipt } from '../store/index.ts'
import type { McpParts } from './parts.ts'

const mostItems = 40

/** A stored session after its last request; null when it has no messages. Writes nothing. */
export function storedSession(
  loaded: LoadedSession,
  receipts: readonly Receipt[],
  { maker, models }: Pick<McpParts, 'maker' | 'models'>,
): AgentSession | null {
  const histories = historiesOf(loaded)
  const last = histories.at(-1)
  if (last === undefined) return null
  const { settings } = maker
  const engine = maker.make(loaded.ledger, { cwd: null, model: null })
  for (const history of histories.slice(0, -1)) engine.record.append(history)
  const sent = loaded.ledger.findLast((entry) => entry.kind === 'request')
  const model = sent?.model ?? null
  const { anchor, turn } = engine.request(last, undefined, { at: sent?.at ?? null, model })
  const session = {
    // The stored ledger says what was sent, even when the configuration here differs.
    engine: withLedger(engine, createLedger(loaded.ledger)),
    settings,
    protection: createProtection(settings),
    history: engine.record.history(anchor),
    turn: sent?.turn ?? turn,
    contextLimit: settings.contextLimit ?? modelFacts(model, models).contextLimit,
    prefixTokens: 0,
    factor: 1,
  }
  return { ...session, prefixTokens: prefixTokens(session, receipts) }
}

function withLedger(engine: Engine, ledger: Ledger): Engine {
  const { record, pending, files, tasks, restore, restores, itemsVisited } = engine
  return {
    ...{ record, ledger, pending, files, tasks, restore, restores, itemsVisited },
    request: (...request) => engine.request(...request),
    markBypassed: () => engine.markBypassed(),
    sentAgain: (moment) => engine.sentAgain(moment),
    usage: (...usage) => engine.usage(...usage),
    ask: (...asked) => engine.ask(...asked),
    undo: (handle) => engine.undo(handle),
    protect: (handle) => engine.protect(handle),
    find: (handle) => engine.find(handle),
    operationOf: (item) => engine.operationOf(item),
  }
}

/** `context_info` for a stored session: how full it is, and what was left out, with handles. */
export function storedContextText(
  session: AgentSession,
  statistics: LoadedSession['statistics'],
  receipts: readonly Receipt[],
): string {
  return [
    ...fullnessLines(contextInfo(session)),
    ...savedLines(statistics),
    ...leftOutLines(session),
    ...agentCutsIn(receipts),
  ].join('\n')
}

/** What the agent itself took out of its history. */
function agentCutsIn(receipts: readonly Receipt[]): readonly string[] {
  const cuts = receipts.flatMap((receipt) => {
    const { agentCut = null, turn } = readReceipt(receipt) ?? {}
    return agentCut === null ? [] : agentCutLines({ ...agentCut, request: turn ?? 1 })
  })
  return cuts.length === 0 ? [] : ['', ...cuts]
}

/** The last request's size minus its messages is the system prompt and the tools. */
function prefixTokens(session: AgentSession, receipts: readonly Receipt[]): number {
  const after = receipts.map(tokensAfter).findLast((tokens) => tokens !== null) ?? 0
  let shown = 0
  for (const { item } of placedItems(session)) shown += shownTokens(item, session)
  return Math.max(0, after - shown)
}

function tokensAfter({ tokens }: Receipt): number | null {
  if (typeof tokens !== 'object' || tokens === null || !('after' in tokens)) return null
  return typeof tokens.after === 'number' ? tokens.after : null
}

function savedLines({
  requests,
  tokensBefore,
  tokensAfter: after,
}: LoadedSession['statistics']): readonly string[] {
  if (!requests || tokensBefore === undefined || after === undefined) return []
  const left = shortTokens(tokensBefore - after)
  return [`${requests} requests so far; ~${left} tokens of input were left out of them.`, '']
}

function leftOutLines(session: AgentSession): readonly string[] {
  const { engine } = session
  const changed = [...placedItems(session)].flatMap(({ item }) => {
    const decision = engine.ledger.of(item.index)
    if (decision === undefined) return []
    const operation = engine.operationOf(item)
    const what =
      operation === undefined ? `${item.kind} of the ${item.role}` : describeOperation(operation)
    const size = `~${shortTokens(item.tokens)} tokens`
    return [
      `  ${item.handle}  ${what} (turn ${item.turn}, ${size}, ${decision.rendition.how}: ${decision.reason})`,
    ]
  })
  if (changed.length === 0) return ['Everything is shown in full.']
  const earlier = changed.length - mostItems
  return [
    'Left out or shortened; context_restore brings back the original:',
    ...(earlier > 0 ? [`  ${earlier} earlier ones, and`] : []),
    ...changed.slice(-mostItems),
  ]
}
