import { taggedResults } from '../agent/handle-tags.ts'
import type { AgentSession } from '../agent/session.ts'
import { shownTokens } from '../agent/session.ts'
import type { Engine, EngineRequest } from '../core/engine.ts'
import type { Protection } from '../core/guard/guard.ts'
import type { Calibration } from '../core/record/calibration.ts'
import type { Message, MessageDraft } from '../core/words/item.ts'
import type { RequestMoment } from '../core/words/request-moment.ts'
import type { Settings } from '../core/words/settings.ts'
import type { ItemChange, RequestRead } from '../formats/format.ts'
import { opencode } from '../formats/opencode/index.ts'
import { createDecidedItems, type DecidedItem, type DecidedItems } from '../report/decided-items.ts'
import { type ChangeCheck, createChangeCheck, newViolation } from './change-check.ts'
import type { ModelInUse } from './model-in-use.ts'

type List = readonly unknown[]

export interface ConversationOptions {
  readonly engine: Engine
  readonly settings: Settings
  readonly protection: Protection
  readonly calibration: Calibration
  /** The last request of an earlier process. */
  readonly lastRequest?: RequestMoment | undefined
}

/** What a list becomes, and what is new because of it. */
export interface PreparedList {
  /** The very same list when nothing is shown differently. */
  readonly list: List
  readonly request: EngineRequest
  /** What was decided since the last request. */
  readonly decided: readonly DecidedItem[]
  /** Why the list stays as it was, where something went wrong. */
  readonly fault: unknown
}

/** Estimated tokens of a request, and those of reasoning among them. */
export interface RequestSize {
  readonly tokens: number
  readonly thinking: number
}

const noSize: RequestSize = { tokens: 0, thinking: 0 }

/**
 * One conversation of the host. Its lists go in as they came from the database, and come out as the model should see them;
 * the same list gives the same bytes.
 */
export class Conversation {
  readonly engine: Engine
  readonly settings: Settings
  readonly decided: DecidedItems = createDecidedItems()
  model: ModelInUse = { contextLimit: null, prefixTokens: 0 }
  /** The turn at which the agent was last advised about pressure. */
  advisedAt: number | null = null
  readonly #options: ConversationOptions
  #read: RequestRead<List> | undefined
  #request: EngineRequest | undefined
  #history: readonly Message[] = []
  /** What the last request showed differently, by the positions of its messages. */
  #shown: ReadonlyMap<number, readonly ItemChange[]> = new Map()
  readonly #check: ChangeCheck = createChangeCheck()
  #estimate = noSize
  /** The answer whose size was last compared with the estimate. */
  #compared: string | undefined
  readonly #untold: DecidedItem[] = []

  constructor(options: ConversationOptions) {
    this.#options = options
    this.engine = options.engine
    this.settings = options.settings
  }

  get request(): EngineRequest | undefined {
    return this.#request
  }

  get modelName(): string | null {
    return this.#read?.model ?? null
  }

  get history(): readonly Message[] {
    return this.#history
  }

  /** What was decided since it was last asked, whoever decided it. Each is told to `prepare` once, too. */
  observe(): readonly DecidedItem[] {
    if (this.#request === undefined) return []
    const fresh = this.decided.observe(this.engine, this.#request)
    this.#untold.push(...fresh)
    return fresh
  }

  /** Decides about a list that is about to be sent. */
  prepare(list: List, at: number): PreparedList {
    const read = opencode.read(list, this.#read)
    const since = this.#request?.anchor
    const known =
      since === undefined ? undefined : { ...since, length: Math.min(since.length, read.shared) }
    const request = this.engine.request(read.messages, known, { at, model: read.model })
    this.#observeUsage(read)
    this.#read = read
    this.#request = request
    this.#history = this.engine.record.history(request.anchor)
    this.observe()
    const decided = this.#untold.splice(0)
    const fault = request.fault ?? read.problem
    if (fault !== null) {
      this.#shown = new Map()
      return { list, request, decided, fault }
    }
    const { engine, settings } = this
    const tags = taggedResults(this.history, request.changes, { settings, engine })
    const changes: readonly ItemChange[] = [...request.changes, ...tags]
    const { source } = opencode.rewrite(read, changes)
    const positions = byPosition(changes)
    const broken = this.#check.check(read, positions, source)
    this.#shown = broken === null ? positions : new Map()
    this.#estimate = this.#measured()
    return { list: broken === null ? source : list, request, decided, fault: broken }
  }

  /** Goes to where an earlier process left the conversation, without a list from the host. */
  resume(history: readonly MessageDraft[]): void {
    const { at = null, model = null } = this.#options.lastRequest ?? {}
    this.#request = this.engine.request(history, undefined, { at, model })
    this.#history = this.engine.record.history(this.#request.anchor)
    this.observe()
  }

  /**
   * A list that only goes into a summary: the beginning of the conversation, as the model saw it last. Nothing is decided
   * by it.
   */
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
    return newViolation(list, source) === null ? source : list
  }

  /** The conversation as the agent's tools see it. */
  session(): AgentSession {
    const { engine, settings, model } = this
    const read = this.#read
    return {
      engine,
      settings,
      protection: this.#options.protection,
      history: this.history,
      turn: this.#request?.turn ?? 1,
      contextLimit: model.contextLimit,
      prefixTokens: model.prefixTokens,
      factor: this.#options.calibration.factor(read?.model ?? ''),
      refusal: ({ message, item }, text) =>
        read === undefined
          ? null
          : (opencode.rewrite(read, [{ message, item, text }]).refused[0]?.reason ?? null),
    }
  }

  /** The size of the last request, in estimated tokens. */
  get estimate(): RequestSize {
    return this.#estimate
  }

  /** The answer to the last request says how large it was. */
  #observeUsage(read: RequestRead<List>): void {
    const answer = read.messages.findLast(({ role }) => role === 'assistant')
    const { tokens } = this.#estimate
    if (answer?.usage === undefined || answer.model === undefined || tokens === 0) return
    if (answer.id === this.#compared) return
    this.#compared = answer.id
    this.#options.calibration.observe(answer.model, tokens, answer.usage.input)
  }

  #measured(): RequestSize {
    let tokens = this.model.prefixTokens
    let thinking = 0
    for (const { items } of this.history) {
      for (const item of items) {
        const size = shownTokens(item, this)
        tokens += size
        if (item.kind === 'reasoning') thinking += size
      }
    }
    return { tokens, thinking }
  }
}

/** By position: all changes of one message, in their order. */
function byPosition(changes: readonly ItemChange[]): ReadonlyMap<number, readonly ItemChange[]> {
  const found = new Map<number, ItemChange[]>()
  for (const change of changes) {
    const known = found.get(change.message)
    if (known === undefined) found.set(change.message, [change])
    else known.push(change)
  }
  return found
}
