import type { EngineMaker } from '../config/engine-maker.ts'
import type { Calibration } from '../core/record/calibration.ts'
import { hashMessage } from '../core/record/content-hash.ts'
import type { Role } from '../core/words/item.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import { setRecent } from '../core/words/recent.ts'
import { opencode } from '../formats/opencode/index.ts'
import type { Totals } from '../report/total-stats.ts'
import { openSession } from '../session/session.ts'
import { historiesOf } from '../store/histories.ts'
import type { LoadedSession, Store } from '../store/store.ts'
import { Conversation } from './conversation.ts'
import { modelInReceipts } from './model-in-use.ts'
import { totalsIn } from './totals.ts'

export interface ConversationsOptions {
  readonly maker: EngineMaker
  readonly calibration: Calibration
  readonly directory: string
  /** The store; null when it cannot be opened. */
  readonly store: Promise<Store | null>
  /** The conversation that started this one. */
  readonly parentOf: (id: string) => Promise<string | null>
  readonly onProblem: (what: string, problem: unknown) => void
}

/** More conversations than this are loaded from the store again when they continue. */
const mostInMemory = 32
/** How many of the last used stored conversations a new one is compared with, to find out whether it is a copy. */
const mostCandidates = 5

interface Stored {
  readonly store: Store
  readonly loaded: LoadedSession
}

/** The conversations of a host, each with a state of its own. */
export class Conversations {
  readonly #options: ConversationsOptions
  /** In order of use, the last used last. */
  readonly #opened = new Map<string, Promise<Conversation>>()

  constructor(options: ConversationsOptions) {
    this.#options = options
  }

  /** The conversation of a list; opened once, however many ask at a time. */
  async open(id: string, list: readonly unknown[]): Promise<Conversation> {
    const known = await this.#current(id)
    if (known !== null) return known
    // Another caller may have started to open it meanwhile.
    return this.#opened.get(id) ?? this.#keep(id, this.#openAnew(id, list))
  }

  /** The conversation from memory or from the store; null when nothing of it was ever sent. */
  async known(id: string): Promise<Conversation | null> {
    const open = await this.#current(id)
    if (open !== null) return open
    const stored = await this.#load(id)
    if (stored === null || stored.loaded.messages.length === 0) return null
    const conversation = await this.#make(id, stored)
    conversation.resume()
    return this.#keep(id, Promise.resolve(conversation))
  }

  /** The text that a handle names in a stored conversation, whether it is still shown or not. */
  async original(handle: string, id: string): Promise<string | null> {
    const store = await this.#options.store
    const session = await store?.findSession({ id })
    if (store === null || session === null || session === undefined) return null
    const found = await store.original(handle, session)
    return found.kind === 'found' ? found.text : null
  }

  /** The statistics of all conversations in the store. */
  async totals(): Promise<Totals> {
    return totalsIn(await this.#options.store)
  }

  async close(): Promise<void> {
    const writing = [...this.#opened.values()].map(async (promise) => (await promise).close())
    await Promise.allSettled(writing)
    this.#opened.clear()
  }

  async #load(id: string): Promise<Stored | null> {
    const store = await this.#options.store
    if (store === null) return null
    try {
      const parent = await this.#options.parentOf(id)
      const folder = this.#options.directory
      const session = await store.openSession({ id, parent, origin: 'opencode', folder })
      return { store, loaded: await store.load(session) }
    } catch (problem) {
      this.#options.onProblem(`the conversation ${id} cannot be read from the store`, problem)
      return null
    }
  }

  async #make(
    id: string,
    stored: Stored | null,
    { copied = [], model = null }: { copied?: readonly LedgerEntry[]; model?: string | null } = {},
  ): Promise<Conversation> {
    const { maker, calibration, onProblem } = this.#options
    const { settings, protection } = maker
    const place = { cwd: this.#options.directory, model }
    const session = openSession({ id, maker, place, stored, copied })
    const ledger =
      stored === null || stored.loaded.ledger.length === 0 ? copied : stored.loaded.ledger
    const resumedTurn = ledger.reduce((latest, { turn }) => Math.max(latest, turn), 0)
    const conversation = new Conversation({
      ...{ session, settings, protection, calibration, resumedTurn, onProblem },
    })
    if (stored !== null) await this.#takeModel(conversation, stored)
    return conversation
  }

  /** Uses what an earlier process knew of the model, until the host provides it again. */
  async #takeModel(conversation: Conversation, { store, loaded }: Stored): Promise<void> {
    try {
      const model = modelInReceipts(await store.receipts(loaded.session))
      if (model !== null) conversation.model = model
    } catch (problem) {
      this.#options.onProblem('the model of a conversation cannot be read from the store', problem)
    }
  }

  async #openAnew(id: string, list: readonly unknown[]): Promise<Conversation> {
    const stored = await this.#load(id)
    const isNew = stored === null || stored.loaded.messages.length === 0
    const copied = isNew ? await this.#copiedBy(id, list, stored?.store ?? null) : []
    return this.#make(id, stored, { copied, model: opencode.read(list).model })
  }

  /** The decisions of the conversation that a list is a copy of. Copies have the same messages, call ids and handles. */
  async #copiedBy(
    id: string,
    list: readonly unknown[],
    store: Store | null,
  ): Promise<readonly LedgerEntry[]> {
    const drafts = this.#options.maker.asRecorded(opencode.read(list).messages)
    if (!drafts.some(({ role }) => role === 'assistant')) return []
    const hashes = drafts.map(hashMessage)
    let best: Copied = { length: 0, ledger: [] }
    for (const [known, promise] of this.#opened) {
      if (known === id) continue
      const { session } = await promise
      best = longer(best, copiedFrom(hashes, session.history, session.engine.ledger.entries))
    }
    if (best.length > 0 || store === null) return best.ledger
    try {
      const sessions = await store.sessions()
      const others = sessions.filter((each) => each.origin === 'opencode' && each.id !== id)
      for (const session of others.slice(0, mostCandidates)) {
        const loaded = await store.load(session)
        const history = (historiesOf(loaded).at(-1) ?? []).map((draft) => ({
          hash: hashMessage(draft),
          role: draft.role,
        }))
        best = longer(best, copiedFrom(hashes, history, loaded.ledger))
      }
    } catch (problem) {
      this.#options.onProblem('the store cannot be searched', problem)
    }
    return best.ledger
  }

  /** The conversation in memory, unless another process has continued it. */
  async #current(id: string): Promise<Conversation | null> {
    const promise = this.#opened.get(id)
    if (promise === undefined) return null
    const conversation = await promise
    const isCurrent = await conversation.written()
    if (this.#opened.get(id) === promise) this.#opened.delete(id)
    if (!isCurrent) return null
    this.#opened.set(id, promise)
    return conversation
  }

  #keep(id: string, promise: Promise<Conversation>): Promise<Conversation> {
    setRecent(this.#opened, id, promise, mostInMemory)
    promise.catch(() => this.#opened.delete(id))
    return promise
  }
}

interface Copied {
  /** How many messages both have in common. */
  readonly length: number
  readonly ledger: readonly LedgerEntry[]
}

function copiedFrom(
  hashes: readonly string[],
  history: readonly { readonly hash: string; readonly role: Role }[],
  ledger: readonly LedgerEntry[],
): Copied {
  let length = 0
  while (length < hashes.length && hashes[length] === history[length]?.hash) length++
  const turns = history.slice(0, length).filter(({ role }) => role === 'assistant').length
  if (turns === 0) return { length: 0, ledger: [] }
  return { length, ledger: ledger.filter(({ turn }) => turn <= turns) }
}

function longer(one: Copied, other: Copied): Copied {
  return other.length > one.length ? other : one
}
