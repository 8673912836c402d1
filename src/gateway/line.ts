import { createUnderstanding } from '../actions/understand.ts'
import type { Config } from '../config/config.ts'
import { createProtection } from '../config/protection.ts'
import { resolveSettings } from '../config/resolve.ts'
import { createEngine, type Engine } from '../core/engine.ts'
import type { Protection } from '../core/guard/guard.ts'
import type { LedgerEntry } from '../core/ledger.ts'
import type { Anchor } from '../core/record/branches.ts'
import type { MessageDraft } from '../core/record/item.ts'
import type { EpochReason } from '../core/schedule/epoch.ts'
import { modelFacts } from '../core/schedule/models/model-facts.ts'
import { findRegime, type Regime } from '../core/schedule/regimes.ts'
import type { Settings } from '../core/settings.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import {
  createSessionWriter,
  historiesOf,
  type LoadedSession,
  type SessionWriter,
  type Store,
} from '../store/index.ts'
import type { PassedPage } from './eager-savings.ts'
import type { PassedBody } from './passed-body.ts'
import { type SentMessage, sentMessage } from './placement.ts'

/** One conversation that goes on in one way, with the engine that follows it: a session in the store. */
export interface Line {
  readonly id: string
  /** Another one takes its place when the line begins with a part of another line. */
  engine: Engine
  readonly writer: SessionWriter
  /** The messages of its last request, in their order. */
  sent: readonly SentMessage[]
  model: string | null
  /** The folder that its agent works in, as its first request said. */
  readonly cwd: string | null
  anchor: Anchor | undefined
  /** The last request as it was read, so that the next one is read from there on. */
  read: RequestRead<Body> | null
  /** What went out as its last request. */
  passed: PassedBody | null
  /** What an earlier process decided, until this one's engine has gone through the history; null from then on. */
  inherited: readonly LedgerEntry[] | null
  /** Length of its last request; of its texts alone while it is only loaded. */
  bytes: number
  /** Estimated tokens of its messages, and their characters: of each of them, and of all. */
  readonly sizes: number[]
  readonly lengths: number[]
  tokens: number
  characters: number
  /** What the session has saved so far, as the engine counts it; see `bank.ts`. */
  balance: number
  /** Epochs that no request has shown yet, because each of them went out as it came. */
  unshown: readonly EpochReason[]
  /** Where changes are made at once: what they are compared with to say what they save. */
  page: PassedPage | null
  readonly awaited: Set<AwaitedTurn>
}

/** A turn whose answer is on its way. That may take long, and a line takes much memory: one that is put away is let go. */
export interface AwaitedTurn {
  /** null once it is put away. */
  line: Line | null
  readonly writer: SessionWriter
  readonly model: string | null
  /** Its number. */
  readonly turn: number | null
}

/** What an engine has to know of the agent that it works for. */
export interface EnginePlace {
  readonly cwd: string | null
  readonly model: string | null
}

/** Makes engines as the configuration says. */
export interface EngineMaker {
  readonly settings: Settings
  readonly protection: Protection
  make(ledger: readonly LedgerEntry[], place: EnginePlace): Engine
}

/** What was sent to a provider is not changed for little: at most a few times in a session, and then for much. */
const leastEpochShare = 0.25

export function createEngineMaker(config: Config): EngineMaker {
  const settings = resolveSettings(config)
  const protection: Protection = createProtection(settings)
  const named: Regime | undefined =
    config.regime === undefined ? undefined : findRegime(config.regime)
  return {
    settings,
    protection,
    make: (ledger, { cwd, model }) =>
      createEngine({
        settings: settingsFor(model, settings, config),
        understanding: () => createUnderstanding({ cwd, mappings: config.toolMappings }),
        protection,
        ledger,
        regimes: named === undefined ? 'model' : [named],
        models: config.models,
        leastShare: leastEpochShare,
      }),
  }
}

/** Where reasoning is valid only behind the very bytes that were sent before it, nothing can change at any time. */
function settingsFor(model: string | null, settings: Settings, { models }: Config): Settings {
  if (settings.schedule !== 'eager') return settings
  const { reasoning } = modelFacts(model, models)
  return reasoning === 'prefix-checked' ? { ...settings, schedule: 'economic' } : settings
}

/** A line as the store has it; an empty session gives one that nothing was sent of yet. */
export function lineFrom(
  loaded: LoadedSession,
  store: Store,
  maker: EngineMaker,
  place: EnginePlace,
): Line {
  const engine = maker.make(loaded.ledger, place)
  let anchor: Anchor | undefined
  for (const history of historiesOf(loaded)) anchor = engine.record.append(history).anchor
  const sent = anchor === undefined ? [] : engine.record.history(anchor)
  const last = loaded.ledger.findLast((entry) => entry.kind === 'request')
  return {
    id: loaded.session.id,
    engine,
    writer: createSessionWriter(store, loaded),
    sent: sent.map((message) => sentMessage(message, message.hash)),
    model: last?.model ?? null,
    cwd: place.cwd,
    anchor,
    read: null,
    passed: null,
    inherited: sent.length > 0 ? loaded.ledger : null,
    bytes: sent.flatMap(({ items }) => items).reduce((sum, { text }) => sum + text.length, 0),
    sizes: [],
    lengths: [],
    tokens: 0,
    characters: 0,
    balance: balanceIn(loaded.ledger) ?? 0,
    unshown: [],
    page: null,
    awaited: new Set(),
  }
}

/** Its newest turn went out as it came. */
export function passBy(line: Line): void {
  line.passed = null
  line.engine.passedBy()
  if (line.anchor !== undefined) line.writer.note(line.engine, { anchor: line.anchor })
}

export function awaitAnswer(line: Line): AwaitedTurn {
  const last = line.engine.ledger.entries.findLast((entry) => entry.kind === 'request')
  const { writer, model } = line
  const turn: AwaitedTurn = { line, writer, model, turn: last?.turn ?? null }
  line.awaited.add(turn)
  return turn
}

/** Nobody works with the line any more; what is in the store stays there. */
export function putAway({ awaited, writer }: Line): void {
  for (const turn of awaited) turn.line = null
  awaited.clear()
  writer.letGo()
}

/**
 * An engine that stands where the line's stands, for a request that is not to be one of its turns, or that goes another
 * way. Only what continues the line's history leaves nothing of it to go through first.
 */
export function standIn(
  line: Line,
  maker: EngineMaker,
  place: EnginePlace,
  { goesOn }: { readonly goesOn: boolean },
): Engine {
  const ledger = line.inherited ?? line.engine.ledger.entries
  const engine = maker.make(ledger, place)
  const history = historyOf(line)
  if (goesOn) engine.record.append(history)
  else catchUp(engine, history, ledger)
  return engine
}

/** Has an engine go through a history that went out before, so that it knows what it leaves when it leaves it. */
export function catchUp(
  engine: Engine,
  history: readonly MessageDraft[],
  ledger: readonly LedgerEntry[],
): void {
  const last = ledger.findLast((entry) => entry.kind === 'request')
  const { at = null, model = null } = last ?? {}
  engine.request(history, undefined, { at, model, isRepeated: true })
}

/** What a session has saved by its last request; null where the engine keeps no books. */
export function balanceIn(ledger: readonly LedgerEntry[]): number | null {
  return ledger.findLast((entry) => entry.kind === 'request')?.balances[0] ?? null
}

export function historyOf({
  engine,
  anchor,
}: Pick<Line, 'engine' | 'anchor'>): readonly MessageDraft[] {
  return anchor === undefined ? [] : engine.record.history(anchor)
}
