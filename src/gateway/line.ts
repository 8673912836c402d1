import type { EngineMaker, EnginePlace } from '../config/engine-maker.ts'
import type { Engine } from '../core/engine.ts'
import type { Anchor } from '../core/record/branches.ts'
import type { MessageDraft } from '../core/words/item.ts'
import type { EpochReason, LedgerEntry } from '../core/words/ledger.ts'
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
  line.engine.markBypassed()
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
