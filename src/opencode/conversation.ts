import { setImmediate as nextTick } from 'node:timers/promises'
import { taggedResults } from '../agent/handle-tags.ts'
import { type AgentSession, shownTokens } from '../agent/session.ts'
import type { Engine } from '../core/engine.ts'
import type { Protection } from '../core/guard/guard.ts'
import type { Calibration } from '../core/record/calibration.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import { addToList } from '../core/words/lists.ts'
import type { Settings } from '../core/words/settings.ts'
import type { ItemChange, RequestRead } from '../formats/format.ts'
import { newViolation } from '../formats/object/new-violation.ts'
import { opencode } from '../formats/opencode/index.ts'
import { createDecidedItems, type DecidedItem, type DecidedItems } from '../report/decided-items.ts'
import type { Session, Turn } from '../session/session.ts'
import type { Besides } from '../store/session-writer.ts'
import type { Receipt } from '../store/store.ts'
import { type ChangeCheck, createChangeCheck } from './change-check.ts'
import type { ModelInUse } from './model-in-use.ts'
import { type EndedAnswer, RequestReceipts, type SentList } from './request-receipts.ts'

type List = readonly unknown[]

export interface ConversationOptions {
  readonly session: Session
  readonly settings: Settings
  readonly protection: Protection
  readonly calibration: Calibration
  /** Turns up to this one were decided and counted by an earlier process. */
  readonly resumedTurn: number
  readonly onProblem: (what: string, problem: unknown) => void
}

/** A list that is ready to be sent, and what was decided about it. */
export interface PreparedList {
  /** The same list when nothing is shown differently. */
  readonly list: List
  readonly turn: Turn
  /** What was decided since the last request. */
  readonly decided: readonly DecidedItem[]
  /** Of earlier requests, of which the answers are known now. */
  readonly receipts: readonly Receipt[]
  /** What was restored since, with the turn of the restore. */
  readonly restored: ReturnType<DecidedItems['takeRestored']>
  /** Why the list stays as it was, when something went wrong. */
  readonly fault: unknown
}

/** Estimated tokens of a request, and those of reasoning among them. */
export interface RequestSize {
  readonly tokens: number
  readonly thinking: number
}

/**
 * One conversation of the host: its session, and the host's lists of messages. Lists go in as they are in the host's
 * database and come out as the model should see them. The same list gives the same bytes.
 */
export class Conversation {
  readonly session: Session
  readonly settings: Settings
  readonly resumedTurn: number
  readonly decided: DecidedItems = createDecidedItems()
  model: ModelInUse = { contextLimit: null, prefixTokens: 0, toolTokens: 0 }
  /** The turn at which the agent was last advised about the size of the context. */
  advisedAt: number | null = null
  /** The size of the last request. */
  estimate: RequestSize = { tokens: 0, thinking: 0 }
  /** The number of the last request; null before the first one. */
  turn: number | null = null
  readonly #options: ConversationOptions
  readonly #check: ChangeCheck = createChangeCheck()
  #read: RequestRead<List> | undefined
  #changes: readonly ProjectedChange[] = []
  /** What the last request showed differently, by the positions of its messages. */
  #shown: ReadonlyMap<number, readonly ItemChange[]> = new Map()
  /** The answer whose size was last compared with the estimate. */
  #compared: string | undefined
  readonly #unreported: DecidedItem[] = []
  readonly #receipts = new RequestReceipts()
  #writing: Promise<boolean> = Promise.resolve(true)

  constructor(options: ConversationOptions) {
    this.#options = options
    this.session = options.session
    this.settings = options.settings
    this.resumedTurn = options.resumedTurn
  }

  get engine(): Engine {
    return this.session.engine
  }

  get modelName(): string | null {
    return this.#read?.model ?? null
  }

  /** What was decided since the last call. `prepare` returns each of them once, too. */
  observe(): readonly DecidedItem[] {
    if (this.turn === null) return []
    const fresh = this.decided.observe(this.engine, { changes: this.#changes })
    this.#unreported.push(...fresh)
    return fresh
  }

  /** Decides about a list that is about to be sent. */
  prepare(list: List, at: number): PreparedList {
    const { session, settings, engine } = this
    const read = opencode.read(list, this.#read)
    const since = session.anchorAt(read.shared)
    const turn = session.turn({ messages: read.messages, since }, { at, model: read.model })
    this.#observeUsage(read)
    this.#read = read
    this.#changes = turn.changes
    this.turn = turn.receipt.turn
    this.observe()
    const decided = this.#unreported.splice(0)
    const restored = this.decided.takeRestored()
    const fault = turn.receipt.fault ?? read.problem
    if (fault !== null) {
      this.#shown = new Map()
      const receipts = this.#begin({ at, read, turn: turn.receipt, isChanged: false })
      return { list, turn, decided, restored, receipts, fault }
    }
    const tags = taggedResults(session.history, turn.changes, { settings, engine })
    const changes: readonly ItemChange[] = [...turn.changes, ...tags]
    const { source } = opencode.rewrite(read, changes)
    const positions = byPosition(changes)
    const broken = this.#check.check(read, positions, source)
    this.#shown = broken === null ? positions : new Map()
    this.estimate = this.#measured()
    const isChanged = broken === null
    const receipts = this.#begin({ at, read, turn: turn.receipt, isChanged })
    return { list: isChanged ? source : list, turn, decided, restored, receipts, fault: broken }
  }

  /** Writes the receipt of a request whose answer ended. */
  noteAnswer(answer: EndedAnswer): void {
    const receipts = this.#receipts.end(answer, this.model)
    if (receipts.length > 0) this.saveSoon({ receipts })
  }

  /** Writes what is left when the host ends. */
  async close(): Promise<void> {
    const receipts = this.#receipts.close(this.model)
    if (receipts.length > 0) this.saveSoon({ receipts })
    await this.written()
  }

  /** Restores the state in which an earlier process left the conversation, without a list from the host. */
  resume(): void {
    const { changes, turn } = this.session.resume()
    this.#changes = changes
    this.turn = turn
    this.observe()
  }

  /** Applies the changes of the last request to a list that is only used for a summary. */
  shownAgain(list: List): List {
    if (this.#shown.size === 0) return list
    const read = opencode.read(list)
    if (read.problem !== null) return list
    const positions = new Map(this.#read?.messages.map(({ id }, position) => [id, position]))
    const changes = read.messages.flatMap(({ id }, message) => {
      const known = id === undefined ? undefined : positions.get(id)
      const shown = known === undefined ? [] : (this.#shown.get(known) ?? [])
      return shown.map((change) => ({ ...change, message }))
    })
    const { source } = opencode.rewrite(read, changes)
    return newViolation(opencode, list, source) === null ? source : list
  }

  /** The conversation as the agent's tools see it. */
  agentSession(): AgentSession {
    const { engine, settings, model, session } = this
    const { protection, calibration } = this.#options
    const read = this.#read
    return {
      engine,
      settings,
      protection,
      history: session.history,
      turn: this.turn ?? 1,
      contextLimit: model.contextLimit,
      prefixTokens: model.prefixTokens,
      factor: calibration.factor(read?.model ?? ''),
      refusal: ({ message, item }, text) =>
        read === undefined
          ? null
          : (opencode.rewrite(read, [{ message, item, text }]).refused[0]?.reason ?? null),
    }
  }

  /** Writes what is new to the store. */
  async save(): Promise<void> {
    this.session.note()
    this.#writing = this.#write()
    await this.#writing
  }

  /** Notes what is new, and writes it once the request is on its way. */
  saveSoon(besides: Besides): void {
    this.session.note(besides)
    this.#writing = nextTick().then(() => this.#write())
  }

  /**
   * Waits until all notes are written. False when another process continued the conversation, which must then be loaded
   * again. Notes that could not be written are kept.
   */
  written(): Promise<boolean> {
    return this.#writing
  }

  async #write(): Promise<boolean> {
    try {
      return (await this.session.commit()).kind === 'done'
    } catch (problem) {
      this.#options.onProblem('the store cannot be written; the next request tries again', problem)
      return true
    }
  }

  /** The usage of the answer tells how large the last request was. */
  #observeUsage(read: RequestRead<List>): void {
    const answer = read.messages.findLast(({ role }) => role === 'assistant')
    const { tokens } = this.estimate
    if (answer?.usage === undefined || answer.model === undefined || tokens === 0) return
    if (answer.id === this.#compared) return
    this.#compared = answer.id
    this.#options.calibration.observe(answer.model, tokens, answer.usage.input)
  }

  #begin({
    isChanged,
    ...sent
  }: Omit<SentList, 'tokens' | 'bypass'> & { readonly isChanged: boolean }): readonly Receipt[] {
    let before = 0
    for (const { items } of this.session.history) for (const { tokens } of items) before += tokens
    const after = isChanged ? this.estimate.tokens - this.model.prefixTokens : before
    const bypass = isChanged ? null : 'engine'
    return this.#receipts.begin({ ...sent, tokens: { before, after }, bypass }, this.model)
  }

  #measured(): RequestSize {
    let tokens = this.model.prefixTokens
    let thinking = 0
    for (const { items } of this.session.history) {
      for (const item of items) {
        const size = shownTokens(item, this)
        tokens += size
        if (item.kind === 'reasoning') thinking += size
      }
    }
    return { tokens, thinking }
  }
}

/** All changes of each message, by its position. */
function byPosition(changes: readonly ItemChange[]): ReadonlyMap<number, readonly ItemChange[]> {
  const found = new Map<number, ItemChange[]>()
  for (const change of changes) addToList(found, change.message, change)
  return found
}
