import { PalimpsestError } from '../../src/core/words/errors.ts'
import type { Store } from '../../src/store/index.ts'
import { AgentConversation, type Deed } from './agent.ts'
import { type BodyOptions, bodyOf, type Said } from './conversation.ts'
import { type Door, type DoorOptions, openDecider } from './door.ts'
import { createTokenCounter } from './prompt.ts'
import { type Bill, createProvider, type ProviderOptions } from './provider.ts'

/** What the provider's answers say about the cache. */
export type Reports = 'true' | 'late' | 'none' | 'nothing read' | 'all read' | 'short' | 'absurd'

export interface SessionOptions extends Partial<BodyOptions>, ProviderOptions {
  readonly store: Store
  readonly open?: (options: DoorOptions) => Door | Promise<Door>
  readonly reports?: Reports
  /** Also bills the requests without those that bring something back. */
  readonly pricesRestores?: boolean
  /** The text in all files and results; sessions with other words share nothing. */
  readonly word?: string
}

/** What a session has cost up to a request, in dollars. */
export interface Costs {
  readonly with: number
  readonly without: number
  /** The same requests without us, less those that bring something back, and without their results. */
  readonly withoutRestores: number
}

const handlePattern = /context_restore ([0-9a-f]{6,})/g

/**
 * An agent's session through a door, request by request, with the bill of what the provider was sent, and the bill of another
 * provider that was sent the originals at the same times.
 */
export class CostSession {
  readonly agent: AgentConversation
  /** The costs after each request. */
  readonly costs: Costs[] = []
  readonly receipts: string[] = []
  model: string
  session = 'session-1'
  token = 'token-1'
  organisation = 'org-1'
  reports: Reports
  sent = ''
  readonly #options: SessionOptions
  readonly #withUs
  readonly #without
  readonly #withoutRestores
  readonly #totals = { with: 0, without: 0, withoutRestores: 0 }
  #door: Door | null = null
  #isStoreBroken = false
  #at = Date.UTC(2026, 0, 5)
  #wallOffset = 0
  #billed: Bill | null = null

  constructor(options: SessionOptions) {
    this.#options = options
    this.agent = new AgentConversation(options.word)
    this.model = options.model ?? 'claude-sonnet-4-5'
    this.reports = options.reports ?? 'true'
    const count = createTokenCounter()
    this.#withUs = createProvider({ ...options, count })
    this.#without = createProvider({ ...options, count })
    this.#withoutRestores = createProvider({ ...options, count })
  }

  /** Time passes. */
  wait(ms: number): void {
    this.#at += ms
  }

  /** The clock on the wall is set, and no time passes. */
  moveClock(ms: number): void {
    this.#wallOffset += ms
  }

  body(said: readonly Said[] = this.agent.said): string {
    const { marking = 'claude-code', ttl = null, systemSize = 30_000 } = this.#options
    return bodyOf(said, { model: this.model, marking, ttl, systemSize })
  }

  /** Sends the conversation as it is now. */
  async send(said: readonly Said[] = this.agent.said): Promise<void> {
    const body = this.body(said)
    const door = await this.#openDoor()
    const headers = { 'x-session-id': this.session, authorization: `Bearer ${this.token}` }
    this.#billed = null
    const { sent, receipt } = await door.send(body, headers)
    // What went past the provider's answer, such as a refused request, is billed here.
    if (this.#billed === null) this.#bill(sent)
    this.sent = sent
    this.receipts.push(receipt)
    this.#account(body, said)
  }

  /** Sends the conversation straight to the provider. */
  async sendDirectly(): Promise<void> {
    const body = this.body()
    this.#bill(body)
    this.sent = body
    this.receipts.push('direct')
    this.#account(body, this.agent.said)
  }

  /** The agent calls tools and sends their results, a few seconds later. */
  async act(...deeds: readonly Deed[]): Promise<void> {
    this.agent.act(deeds)
    this.wait(4_000)
    await this.send()
  }

  async say(text: string): Promise<void> {
    if (this.agent.said.length > 0) this.agent.answer('Done.')
    this.agent.prompt(text)
    this.wait(4_000)
    await this.send()
  }

  /** Handles in what was sent last that were not brought back before. */
  get handles(): readonly string[] {
    const restored = new Set(
      this.agent.said.flatMap(({ parts }) =>
        parts.flatMap((part) =>
          part.kind === 'call' && 'handle' in part.input ? [String(part.input.handle)] : [],
        ),
      ),
    )
    const found = [...this.sent.matchAll(handlePattern)].map(([, handle]) => handle as string)
    return [...new Set(found)].filter((handle) => !restored.has(handle))
  }

  /** The agent brings originals back, and sends them. */
  async restore(handles: readonly string[]): Promise<void> {
    const originals = []
    for (const handle of handles) {
      const found = await this.#options.store.original(handle)
      if (found.kind === 'found') originals.push({ handle, text: found.text })
    }
    if (originals.length === 0) return
    this.agent.restore(originals)
    this.wait(4_000)
    await this.send()
  }

  /** The door has no room for bodies during some requests. */
  async whileFull(work: () => Promise<void>): Promise<void> {
    const empty = await (await this.#openDoor()).fill?.()
    await work()
    await empty?.()
  }

  /** The clock is right again by then: how long a process was away is known from the clock alone. */
  async restart(): Promise<void> {
    this.#wallOffset = 0
    await (await this.#openDoor()).restart()
  }

  /** The store refuses all work from now on, or takes it again. */
  storeFails(fails: boolean): void {
    this.#isStoreBroken = fails
  }

  async close(): Promise<void> {
    await this.#door?.close()
    this.#door = null
  }

  /** What the session has cost so far. */
  get total(): Costs {
    return this.costs.at(-1) ?? this.#totals
  }

  /** How much more the dearest request so far has brought the session to, as a share of its cost without us. */
  get worstShare(): number {
    return Math.max(...this.costs.map((each) => each.with / each.without - 1))
  }

  async #openDoor(): Promise<Door> {
    const { open = openDecider } = this.#options
    this.#door ??= await open({
      store: breakable(this.#options.store, () => this.#isStoreBroken),
      clock: { wall: () => this.#at + this.#wallOffset, uptime: () => this.#at },
      answer: (body) => this.#report(this.#bill(body), body),
      isLate: this.reports === 'late',
    })
    return this.#door
  }

  #bill(body: string): Bill {
    this.#billed = this.#withUs.bill(body, this.#at, this.organisation)
    this.#totals.with += this.#billed.dollars
    return this.#billed
  }

  #account(body: string, said: readonly Said[]): void {
    const { dollars } = this.#without.bill(body, this.#at, this.organisation)
    this.#totals.without += dollars
    if (this.#options.pricesRestores === true && said.at(-1)?.isRestore !== true) {
      const rest = this.body(said.filter(({ isRestore }) => isRestore !== true))
      const bill = this.#withoutRestores.bill(rest, this.#at, this.organisation)
      this.#totals.withoutRestores += bill.dollars
    }
    this.costs.push({ ...this.#totals })
  }

  #report(bill: Bill, body: string): object | null {
    const { input, read, written, writtenLong } = bill
    const isClaude = body.includes('"messages":')
    const usage = (shown: Omit<Bill, 'dollars'>): object =>
      isClaude
        ? {
            input_tokens: shown.input - shown.read - shown.written,
            cache_read_input_tokens: shown.read,
            cache_creation_input_tokens: shown.written,
            cache_creation: {
              ephemeral_5m_input_tokens: shown.written - shown.writtenLong,
              ephemeral_1h_input_tokens: shown.writtenLong,
            },
            output_tokens: 100,
          }
        : {
            input_tokens: shown.input,
            input_tokens_details: { cached_tokens: shown.read },
            output_tokens: 100,
          }
    switch (this.reports) {
      case 'true':
      case 'late':
        return usage(bill)
      case 'none':
        return null
      case 'nothing read':
        return usage({ input, read: 0, written: 0, writtenLong: 0 })
      case 'all read':
        return usage({ input, read: input, written: 0, writtenLong: 0 })
      case 'short':
        return isClaude
          ? {
              input_tokens: input - read - written,
              cache_read_input_tokens: read,
              cache_creation_input_tokens: written,
              output_tokens: 100,
            }
          : usage({ input, read, written, writtenLong })
      case 'absurd':
        return isClaude
          ? {
              input_tokens: 1e308,
              cache_read_input_tokens: 1e308,
              cache_creation_input_tokens: -5,
              output_tokens: 1e300,
            }
          : { input_tokens: 1e308, input_tokens_details: { cached_tokens: -1 } }
    }
  }
}

function breakable(store: Store, isBroken: () => boolean): Store {
  const refusing = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      if (isBroken()) throw new PalimpsestError('store-unreachable', 'as the test wants it')
      return work.apply(store, args)
    }
  }
  return {
    ...store,
    openSession: refusing(store.openSession),
    findSession: refusing(store.findSession),
    sessionsWith: refusing(store.sessionsWith),
    append: refusing(store.append),
    load: refusing(store.load),
  }
}
