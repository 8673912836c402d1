import type { EngineMaker, EnginePlace } from '../config/engine-maker.ts'
import type { Engine, EngineRequest } from '../core/engine.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { MessageDraft, Usage } from '../core/words/item.ts'
import type { EpochReason, LedgerEntry } from '../core/words/ledger.ts'
import type { RequestMoment } from '../core/words/request-moment.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import type { Besides, SessionWriter } from '../store/session-writer.ts'
import type { LoadedSession, Store } from '../store/store.ts'
import { commonLength, type SentMessage, type Standing, sentMessage } from './placement.ts'
import type { ReadRequest } from './read-request.ts'
import { lastRequestIn, repeatLast, Session, type Turn } from './session.ts'

/** When a request was made, and by whom. */
export interface Moment extends EnginePlace {
  /** Milliseconds since 1970. */
  readonly at: number
  /** See `RequestMoment`. */
  readonly lifetime?: RequestMoment['lifetime']
  readonly isDelegated?: boolean
  readonly isPaused?: boolean
  readonly isAside?: boolean
  readonly isJoined?: boolean
  readonly mayBeCached?: boolean
  readonly prefixCharacters?: number
  readonly account?: RequestMoment['account']
  readonly restore?: string | null
}

/** The last request, before and after our changes. The next request reuses the part that both share. */
export interface ForwardedBody {
  /** As the client sent it. */
  readonly original: RequestRead<Body>
  /** As it was forwarded to the provider. */
  readonly sent: RequestRead<Body>
  readonly changes: readonly ProjectedChange[]
  /** Changes that the request format refused. */
  readonly refused: ReadonlySet<ProjectedChange>
}

/** A request that was sent, as the provider may still have it cached. */
export interface SentRequest {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly model: string | null
  readonly changes: readonly ProjectedChange[]
}

/** A request without tools and results. Only a later request shows whether it was the first turn of a session. */
export interface Beginning {
  readonly messages: readonly MessageDraft[]
  readonly sent: readonly SentMessage[]
  readonly at: number
  readonly model: string | null
}

/** A turn that waits for its response. It drops a branch that leaves memory, because responses may take long. */
export interface AwaitedTurn {
  /** null once the branch has left memory. */
  branch: Branch | null
  readonly writer: SessionWriter
  /** The id of its session in the store. */
  readonly session: string
  readonly model: string | null
  /** Its number. */
  readonly turn: number
}

interface CountedPrefix {
  readonly system: string
  readonly tools: string
  readonly tokens: PrefixTokens
}

/** Estimated tokens of a system prompt and of tool definitions. */
export interface PrefixTokens {
  readonly system: number
  readonly tools: number
}

export interface BranchOptions {
  readonly store: Store
  readonly maker: EngineMaker
}

/** One branch of a client's conversation. Each branch is a session of its own in the store. */
export class Branch extends Session {
  /** The messages of its last request, in their order. */
  sent: readonly SentMessage[]
  /** The last request as it was parsed. The next one is parsed only where it differs. */
  read: RequestRead<Body> | null = null
  /** Its last request as it was forwarded; null when the next one cannot be built on it. */
  forwarded: ForwardedBody | null = null
  /** Length of its last request; of its texts alone until the first request after loading. */
  bytes: number
  /** Estimated tokens of all its messages, and their characters. */
  tokens = 0
  characters = 0
  /** What the session has saved so far, as the engine counts it; see `bank.ts`. */
  balance: number
  /** Epochs that no request has shown yet, because each of them was sent unchanged. */
  unshown: readonly EpochReason[] = []
  /** Under `eager`, the requests that the next one is compared with to compute its savings, the oldest first. */
  sentBefore: readonly (SentRequest & { readonly messages: number })[] = []
  /** Characters of each message. */
  readonly lengths: number[] = []
  /** Tokens of each item of each message. */
  readonly #sizes: (readonly number[])[] = []
  /** A change is the same object in every request that shows it, so each is counted once. */
  readonly #removed = new WeakMap<ProjectedChange, number>()
  #prefix: CountedPrefix | null = null
  /** See `Store`; when it was loaded or written last. */
  renewals: number
  readonly #awaited: Set<AwaitedTurn> = new Set()
  readonly #maker: EngineMaker

  constructor(loaded: LoadedSession, { store, maker }: BranchOptions, place: EnginePlace) {
    super({ id: loaded.session.id, maker, place, stored: { store, loaded } })
    const { history } = this
    this.#maker = maker
    this.renewals = store.renewals?.() ?? 0
    this.sent = history.map((message) => sentMessage(message, message.hash))
    this.bytes = history
      .flatMap(({ items }) => items)
      .reduce((sum, { text }) => sum + text.length, 0)
    this.balance = balanceIn(loaded.ledger) ?? 0
  }

  /** Makes a request the next turn of this branch. `standing` is its relation to the branch. */
  advance(
    request: ReadRequest,
    moment: Moment,
    {
      standing,
      origin,
      beginning,
    }: {
      readonly standing: Standing
      readonly origin: Branch | null
      readonly beginning: Beginning | null
    },
  ): Turn {
    if (standing.kind === 'empty') {
      if (origin !== null) this.#fork(origin, moment)
      else if (beginning !== null)
        this.turn(beginning, { at: beginning.at, model: beginning.model })
      // Earlier savings do not belong to the first request.
      this.balance = balanceIn(this.engine.ledger.entries) ?? 0
    }
    // An engine that has not seen its history would not know what the client changed in it.
    if ((standing.kind === 'changed' || moment.isJoined === true) && this.earlier !== null)
      this.resume()
    const since = request.from === this ? request.since : undefined
    const turn = this.turn({ messages: request.read.messages, since }, moment)
    this.#follow(request)
    return turn
  }

  /** Returns a function that takes back what is decided from now on, as if the branch had just been loaded. */
  checkpoint(): () => void {
    const { engine, anchor, sent, balance, unshown, model } = this
    const decided = this.earlier ?? engine.ledger.entries
    const count = decided.length
    return () => {
      const ledger = decided.slice(0, count)
      const history = anchor === undefined ? [] : engine.record.history(anchor)
      this.engine = this.#maker.make(ledger, { cwd: this.cwd, model })
      this.anchor = anchor === undefined ? undefined : this.engine.record.append(history).anchor
      this.earlier = anchor === undefined ? null : ledger
      this.model = model
      this.sent = sent
      this.balance = balance
      this.unshown = unshown
      this.forwarded = null
    }
  }

  /** Projects a request that is not a turn of this branch: a token count, a compaction or a repetition. */
  project(
    request: ReadRequest,
    moment: Moment,
    { standing }: { standing: Standing },
  ): EngineRequest {
    const continues = standing.kind === 'grown' || standing.kind === 'asked'
    return this.#copiedEngine(moment, { continues }).request(
      this.#maker.asRecorded(request.read.messages),
      undefined,
      moment,
    )
  }

  /** Estimated tokens that a change removes from the last request. */
  tokensRemovedBy(change: ProjectedChange): number {
    const known = this.#removed.get(change)
    if (known !== undefined) return known
    const original = this.#sizes[change.message]?.[change.item] ?? 0
    const removed = original - estimateTokens(change.text ?? '')
    this.#removed.set(change, removed)
    return removed
  }

  /** Estimated tokens of a system prompt and tools, which are the same in most requests of a branch. */
  prefixTokens({ system, tools }: RequestRead<Body>['prefix']): PrefixTokens {
    if (this.#prefix?.system !== system || this.#prefix.tools !== tools) {
      const tokens = { system: estimateTokens(system), tools: estimateTokens(tools) }
      this.#prefix = { system, tools, tokens }
    }
    return this.#prefix.tokens
  }

  /** Whether a request's system prompt or tools differ from the last one's; false when that is not known. */
  hasOtherPrefix({ system, tools }: RequestRead<Body>['prefix']): boolean {
    return this.#prefix !== null && (this.#prefix.system !== system || this.#prefix.tools !== tools)
  }

  /** The provider was sent the last request again, with a question at its end. */
  sentAgain(moment: Moment): void {
    // An engine that has not seen the history yet knows nothing of the cache.
    if (this.earlier !== null) return
    this.engine.sentAgain(moment)
    this.note()
  }

  override markBypassed(): void {
    this.forwarded = null
    super.markBypassed()
  }

  awaitAnswer(turn: number): AwaitedTurn {
    const { writer, model, id: session } = this
    const awaited: AwaitedTurn = { branch: this, writer, session, model, turn }
    this.#awaited.add(awaited)
    return awaited
  }

  /** Records the response to a turn. True when its usage showed something new about the provider's cache. */
  noteAnswer(turn: AwaitedTurn, usage: Usage | null, besides: Besides): boolean {
    this.#awaited.delete(turn)
    const isNew = usage !== null && this.engine.usage(usage, this.model)
    this.note(besides)
    return isNew
  }

  /** Called when the branch leaves memory. What is in the store stays there. */
  letGo(): void {
    for (const turn of this.#awaited) turn.branch = null
    this.#awaited.clear()
    this.writer.letGo()
  }

  /** A forked conversation takes over the decisions about the part that it shares with its origin. */
  #fork(origin: Branch, moment: Moment): void {
    this.engine = origin.#copiedEngine(moment, { continues: false })
    this.writer.note(this.engine, this.engine.record.append(origin.history))
  }

  /**
   * A copy of the engine in the state of this branch. The history is replayed unless the next request continues it.
   */
  #copiedEngine(place: EnginePlace, { continues }: { readonly continues: boolean }): Engine {
    const ledger = this.earlier ?? this.engine.ledger.entries
    const engine = this.#maker.make(ledger, place)
    if (continues) engine.record.append(this.history)
    else repeatLast(engine, this.history, ledger)
    return engine
  }

  #follow({ read, sent }: ReadRequest): void {
    const same = Math.min(this.#sizes.length, commonLength(this.sent, sent))
    while (this.#sizes.length > same) {
      this.tokens -= sumOf(this.#sizes.pop() ?? [])
      this.characters -= this.lengths.pop() ?? 0
    }
    const added = this.anchor === undefined ? [] : this.engine.record.history(this.anchor, same)
    for (const { items } of added) {
      const sizes = items.map((item) => item.tokens)
      const characters = items.reduce((sum, item) => sum + item.text.length, 0)
      this.#sizes.push(sizes)
      this.lengths.push(characters)
      this.tokens += sumOf(sizes)
      this.characters += characters
    }
    this.sent = sent
    this.read = read
    this.bytes = read.source.length
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** What a session has saved up to its last request; null when the engine does not count it. */
export function balanceIn(ledger: readonly LedgerEntry[]): number | null {
  return lastRequestIn(ledger)?.balances[0] ?? null
}
