import type { EngineMaker, EnginePlace } from '../config/engine-maker.ts'
import type { Engine, EngineRequest } from '../core/engine.ts'
import type { Anchor } from '../core/record/branches.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { Message, MessageDraft } from '../core/words/item.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import type { RequestMoment } from '../core/words/request-moment.ts'
import { historiesOf } from '../store/histories.ts'
import { type Besides, createSessionWriter, type SessionWriter } from '../store/session-writer.ts'
import type { AppendOutcome, LoadedSession, Store, StoredSession } from '../store/store.ts'

export interface SessionOptions {
  readonly id: string
  readonly maker: Pick<EngineMaker, 'make' | 'asRecorded'>
  readonly place: EnginePlace
  /** The store and the session loaded from it; null for a session that is not stored. */
  readonly stored: { readonly store: Store; readonly loaded: LoadedSession } | null
  /** The decisions of the session that this one was copied from. Used while it has none of its own. */
  readonly copied?: readonly LedgerEntry[]
  /** Called with every error inside the engine. The request is then sent unchanged. */
  readonly onFault?: ((fault: unknown) => void) | undefined
}

/** The parts of a request that the engine needs. */
export interface TurnRead {
  /** The whole history. */
  readonly messages: readonly MessageDraft[]
  /** The end of the part that is the same as in the last request; see `Session.anchorAt`. */
  readonly since?: Anchor | undefined
}

/** A request that became the next turn of its session. */
export interface Turn {
  /** All changes, in the order of the request. */
  readonly changes: readonly ProjectedChange[]
  readonly receipt: TurnReceipt
  /** Writes the turn to the store; see `Session.commit`. */
  commit(besides?: Besides): Promise<AppendOutcome>
}

/** The report of a turn; see `EngineRequest`. */
export type TurnReceipt = Omit<EngineRequest, 'changes'>

/** Opens a new session, or a stored one in its last state. Every entry point uses it. */
export function openSession(options: SessionOptions): Session {
  return new Session(options)
}

/** A conversation with its engine, and with its writer when it is stored. */
export class Session {
  readonly id: string
  /** The working folder of its agent. */
  readonly cwd: string | null
  engine: Engine
  writer: SessionWriter
  /** The end of the last request's history; undefined before the first. */
  anchor: Anchor | undefined
  /** The model of the last request. */
  model: string | null
  /** The decisions of an earlier process, until the engine has seen the history again; null from then on. */
  earlier: readonly LedgerEntry[] | null
  /** Its place in the store; null when it is not stored. */
  stored: StoredSession | null
  readonly #asRecorded: EngineMaker['asRecorded']
  readonly #onFault: SessionOptions['onFault']

  constructor({ id, maker, place, stored, copied = [], onFault }: SessionOptions) {
    const own = stored?.loaded.ledger ?? []
    const ledger = own.length === 0 ? copied : own
    this.id = id
    this.stored = stored?.loaded.session ?? null
    this.#asRecorded = maker.asRecorded
    this.#onFault = onFault
    this.cwd = place.cwd
    this.model = lastRequestIn(ledger)?.model ?? null
    this.engine = maker.make(ledger, { cwd: place.cwd, model: this.model ?? place.model })
    for (const history of stored === null ? [] : historiesOf(stored.loaded))
      this.anchor = this.engine.record.append(history).anchor
    this.writer = stored === null ? unsaved : createSessionWriter(stored.store, stored.loaded)
    this.earlier = this.anchor === undefined ? null : ledger
  }

  /** The messages of the last request. */
  get history(): readonly Message[] {
    return this.anchor === undefined ? [] : this.engine.record.history(this.anchor)
  }

  /** The end of the first `shared` messages of the last request. */
  anchorAt(shared: number): Anchor | undefined {
    if (this.anchor === undefined || shared === 0) return undefined
    const { branch, length } = this.anchor
    return { branch, length: Math.min(shared, length) }
  }

  /** Makes a request the next turn and queues its decisions for `commit`. */
  turn({ messages, since }: TurnRead, moment: RequestMoment): Turn {
    const recorded = this.#asRecorded(messages, since?.length)
    const { changes, ...receipt } = this.engine.request(recorded, since, moment)
    this.anchor = receipt.anchor
    this.model = moment.model
    this.earlier = null
    if (receipt.fault !== null) this.#onFault?.(receipt.fault)
    this.note()
    return { changes, receipt, commit: (besides) => this.commit(besides) }
  }

  /** Repeats the last request of an earlier process, so that the engine knows the conversation. */
  resume(): EngineRequest {
    return repeatLast(this.engine, this.history, this.earlier ?? this.engine.ledger.entries)
  }

  /** The last turn was sent unchanged after all. */
  markBypassed(): void {
    this.engine.markBypassed()
    this.note()
  }

  /** Queues new ledger entries for the next commit, with receipts and statistics. */
  note(besides: Besides = {}): void {
    if (this.anchor === undefined) this.writer.noteBesides(besides)
    else this.writer.note(this.engine, { anchor: this.anchor }, besides)
  }

  /** Writes all of it into a store that does not have it: its file was lost, or the session was removed. */
  storeAgain(store: Store, session: StoredSession): Promise<AppendOutcome> {
    this.writer.letGo()
    const extent = { messages: 0, ledger: 0, entries: 0 }
    this.writer = createSessionWriter(store, { session, extent, ledger: [] })
    this.stored = session
    return this.commit({})
  }

  /**
   * Writes everything that is queued. Any outcome except `done` means that another process continued the session: open
   * it again. Rejects when the store fails; the next commit then writes the queue.
   */
  commit(besides?: Besides): Promise<AppendOutcome> {
    if (besides !== undefined) this.note(besides)
    return this.writer.flush()
  }
}

/** Shows an engine a history that was sent before, so that it notices later changes in it. */
export function repeatLast(
  engine: Engine,
  history: readonly MessageDraft[],
  ledger: readonly LedgerEntry[],
): EngineRequest {
  const { at = null, model = null } = lastRequestIn(ledger) ?? {}
  return engine.request(history, undefined, { at, model, isRepeated: true })
}

type RequestEntry = Extract<LedgerEntry, { readonly kind: 'request' }>

export function lastRequestIn(ledger: readonly LedgerEntry[]): RequestEntry | undefined {
  return ledger.findLast((entry) => entry.kind === 'request')
}

/** For sessions that are not stored. */
const unsaved: SessionWriter = {
  note() {},
  noteBesides() {},
  letGo() {},
  flush: async () => ({ kind: 'done', extent: { messages: 0, ledger: 0, entries: 0 } }),
}
