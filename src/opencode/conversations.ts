import { hashMessage } from '../core/record/content-hash.ts'
import type { MessageDraft } from '../core/words/item.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import { opencode } from '../formats/opencode/index.ts'
import { historiesOf } from '../store/histories.ts'
import type { LoadedSession, Store } from '../store/store.ts'
import { type Totals, totalsIn } from './all-time.ts'
import { modelInReceipts } from './model-in-use.ts'
import {
  type ConversationParts,
  openConversation,
  type SavedConversation,
} from './saved-conversation.ts'

/** The conversations of a host, each with a state of its own. */
export interface Conversations {
  /** Opens the store before anybody asks for it. */
  openAhead(): void
  /** The conversation, when it is in memory and written down: nobody has to be waited for. */
  atHand(id: string): SavedConversation | null
  /** The conversation of a list; opened once, however many ask at a time. */
  open(id: string, list: readonly unknown[]): Promise<SavedConversation>
  /** The conversation as it stands, from memory or from the store; null when nothing of it was ever sent. */
  known(id: string): Promise<SavedConversation | null>
  /** The text that a handle names in a stored conversation, whatever became of it. */
  original(handle: string, of: SavedConversation): Promise<string | null>
  /** The figures of all conversations in the store. */
  totals(): Promise<Totals>
  close(): Promise<void>
}

export interface ConversationsOptions extends ConversationParts {
  /** Opens the store; null when there is none to be had. Asked once. */
  readonly openStore: () => Promise<Store | null>
  /** The conversation that started this one. */
  readonly parentOf: (id: string) => Promise<string | null>
}

/** So many conversations stay in memory; the others are read again when they go on. */
const mostInMemory = 32
/** So many of the last conversations in the store are looked at for what a new one was copied from. */
const mostCandidates = 5

interface Opened {
  readonly promise: Promise<SavedConversation>
  /** null until it is there. */
  saved: SavedConversation | null
}

export function createConversations(options: ConversationsOptions): Conversations {
  const opened = new Map<string, Opened>()
  let store: Promise<Store | null> | null = null

  async function load(id: string): Promise<{ store: Store | null; loaded: LoadedSession | null }> {
    store ??= options.openStore()
    const open = await store
    if (open === null) return { store: null, loaded: null }
    try {
      const parent = await options.parentOf(id)
      const folder = options.directory
      const session = await open.openSession({ id, parent, origin: 'opencode', folder })
      const loaded = await open.load(session)
      return { store: open, loaded }
    } catch (problem) {
      options.onProblem(`the conversation ${id} cannot be read from the store`, problem)
      return { store: null, loaded: null }
    }
  }

  async function openAnew(id: string, list: readonly unknown[]): Promise<SavedConversation> {
    const { store: from, loaded } = await load(id)
    const isNew = loaded === null || loaded.messages.length === 0
    const inherited = isNew ? await inheritedBy(id, list, from) : []
    const { model } = opencode.read(list)
    const saved = openConversation({ id, store: from, loaded, inherited, model }, options)
    await tellModel(saved, from)
    return saved
  }

  /** What an earlier process heard of the model, until the host tells it again. */
  async function tellModel(saved: SavedConversation, from: Store | null): Promise<void> {
    if (from === null || saved.loaded === null) return
    try {
      const model = modelInReceipts(await from.receipts(saved.loaded.session))
      if (model !== null) saved.conversation.model = model
    } catch (problem) {
      options.onProblem('the model of a conversation cannot be read from the store', problem)
    }
  }

  /** A copy of a conversation has its messages, its calls' ids and so its handles: what was decided there holds here. */
  async function inheritedBy(
    id: string,
    list: readonly unknown[],
    from: Store | null,
  ): Promise<readonly LedgerEntry[]> {
    const drafts = opencode.read(list).messages
    if (drafts.filter(({ role }) => role === 'assistant').length === 0) return []
    const hashes = drafts.map(hashMessage)
    let best: readonly LedgerEntry[] = []
    let longest = 0
    const consider = (
      history: readonly { readonly hash: string; readonly role: MessageDraft['role'] }[],
      ledger: readonly LedgerEntry[],
    ): void => {
      const shared = sharedLength(hashes, history)
      if (shared <= longest) return
      const turns = history.slice(0, shared).filter(({ role }) => role === 'assistant').length
      if (turns === 0) return
      longest = shared
      best = ledger.filter(({ turn }) => turn <= turns)
    }
    for (const [known, { promise }] of opened) {
      if (known === id) continue
      const { conversation } = await promise
      consider(conversation.history, conversation.engine.ledger.entries)
    }
    if (longest > 0 || from === null) return best
    try {
      const sessions = await from.sessions()
      const others = sessions.filter((each) => each.origin === 'opencode' && each.id !== id)
      for (const session of others.slice(0, mostCandidates)) {
        const loaded = await from.load(session)
        const history = historiesOf(loaded).at(-1) ?? []
        consider(
          history.map((draft) => ({ hash: hashMessage(draft), role: draft.role })),
          loaded.ledger,
        )
      }
    } catch (problem) {
      options.onProblem('the store cannot be searched', problem)
    }
    return best
  }

  /** The conversation in memory, unless another process has gone on with it. */
  async function current(id: string): Promise<SavedConversation | null> {
    const entry = opened.get(id)
    if (entry === undefined) return null
    const saved = await entry.promise
    const isCurrent = await saved.settled()
    if (opened.get(id) === entry) opened.delete(id)
    if (!isCurrent) return null
    opened.set(id, entry)
    return saved
  }

  function keep(id: string, promise: Promise<SavedConversation>): Promise<SavedConversation> {
    const entry: Opened = { promise, saved: null }
    opened.set(id, entry)
    promise.then(
      (saved) => {
        entry.saved = saved
      },
      () => opened.delete(id),
    )
    makeRoom()
    return promise
  }

  function makeRoom(): void {
    for (const id of opened.keys()) {
      if (opened.size <= mostInMemory) return
      opened.delete(id)
    }
  }

  return {
    atHand(id) {
      const entry = opened.get(id)
      if (entry?.saved?.isSettled() !== true) return null
      // The last used is the last to go.
      opened.delete(id)
      opened.set(id, entry)
      return entry.saved
    },
    openAhead() {
      store ??= options.openStore()
    },
    async open(id, list) {
      const known = await current(id)
      if (known !== null) return known
      // Whoever asked at the same time may have begun by now.
      return opened.get(id)?.promise ?? keep(id, openAnew(id, list))
    },
    async known(id) {
      const open = await current(id)
      if (open !== null) return open
      const { store: from, loaded } = await load(id)
      const history = loaded === null ? undefined : historiesOf(loaded).at(-1)
      if (history === undefined) return null
      const saved = openConversation(
        { id, store: from, loaded, inherited: [], model: null },
        options,
      )
      saved.conversation.resume(history)
      await tellModel(saved, from)
      return keep(id, Promise.resolve(saved))
    },
    async original(handle, { loaded }) {
      const open = await store
      if (open === null || open === undefined || loaded === null) return null
      const found = await open.original(handle, loaded.session)
      return found.kind === 'found' ? found.text : null
    },
    async totals() {
      store ??= options.openStore()
      return totalsIn(await store)
    },
    async close() {
      const settling = [...opened.values()].map(async ({ promise }) => (await promise).settled())
      await Promise.allSettled(settling)
      const open = await store
      store = null
      opened.clear()
      await open?.close()
    },
  }
}

function sharedLength(
  hashes: readonly string[],
  history: readonly { readonly hash: string }[],
): number {
  let length = 0
  while (length < hashes.length && hashes[length] === history[length]?.hash) length++
  return length
}
