import { taggedResults } from '../agent/handle-tags.ts'
import type { AgentSession } from '../agent/session.ts'
import { placedItems, shownTokens } from '../agent/session.ts'
import { createDecidedItems, type DecidedItem, type DecidedItems } from '../core/decided-items.ts'
import type { Engine, EngineRequest } from '../core/engine.ts'
import type { Protection } from '../core/guard/guard.ts'
import type { Calibration } from '../core/record/calibration.ts'
import type { Message, MessageDraft } from '../core/record/item.ts'
import type { RequestMoment } from '../core/schedule/epoch.ts'
import type { Settings } from '../core/settings.ts'
import type { ItemChange, RequestRead, Violation } from '../formats/format.ts'
import { opencode } from '../formats/opencode/index.ts'

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

/** What the host tells of the model in use. */
export interface ModelInUse {
  readonly contextLimit: number | null
  readonly prefixTokens: number
}

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
  #shown: ReadonlyMap<string, readonly ItemChange[]> = new Map()
  #estimate = 0
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
    return this.#request === undefined ? [] : this.engine.record.history(this.#request.anchor)
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
    const broken = newViolation(list, source)
    this.#shown = broken === null ? byMessage(read, changes) : new Map()
    this.#estimate = this.#estimated()
    return { list: broken === null ? source : list, request, decided, fault: broken }
  }

  /** Goes to where an earlier process left the conversation, without a list from the host. */
  resume(history: readonly MessageDraft[]): void {
    const { at = null, model = null } = this.#options.lastRequest ?? {}
    this.#request = this.engine.request(history, undefined, { at, model })
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
    const changes = read.messages.flatMap(({ id }, message) =>
      (this.#shown.get(id ?? '') ?? []).map((change) => ({ ...change, message })),
    )
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

  /** The answer to the last request says how large it was. */
  #observeUsage(read: RequestRead<List>): void {
    const answer = read.messages.findLast(({ role }) => role === 'assistant')
    if (answer?.usage === undefined || answer.model === undefined || this.#estimate === 0) return
    this.#options.calibration.observe(answer.model, this.#estimate, answer.usage.input)
    this.#estimate = 0
  }

  #estimated(): number {
    let tokens = this.model.prefixTokens
    for (const { item } of placedItems(this)) tokens += shownTokens(item, this)
    return tokens
  }
}

/** A rule that the list breaks now and did not break before. */
function newViolation(before: List, after: List): Violation | null {
  if (before === after) return null
  const known = new Set(opencode.validate(before).map(({ rule, where }) => `${rule} ${where}`))
  const own = opencode.validate(after).find(({ rule, where }) => !known.has(`${rule} ${where}`))
  return own ?? opencode.validateChange(before, after)[0] ?? null
}

function byMessage(
  read: RequestRead<List>,
  changes: readonly ItemChange[],
): ReadonlyMap<string, readonly ItemChange[]> {
  const found = new Map<string, ItemChange[]>()
  for (const change of changes) {
    const id = read.messages[change.message]?.id
    if (id === undefined) continue
    const known = found.get(id)
    if (known === undefined) found.set(id, [change])
    else known.push(change)
  }
  return found
}
