import type { EngineMaker } from '../config/engine-maker.ts'
import type { Calibration } from '../core/record/calibration.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import { historiesOf } from '../store/histories.ts'
import { type Besides, createSessionWriter, type SessionWriter } from '../store/session-writer.ts'
import type { LoadedSession, Store } from '../store/store.ts'
import { Conversation } from './conversation.ts'

export interface ConversationParts {
  readonly maker: EngineMaker
  readonly calibration: Calibration
  readonly directory: string
  readonly onProblem: (what: string, problem: unknown) => void
}

/** A conversation with its place in the store, if there is one. */
export interface SavedConversation {
  readonly id: string
  readonly conversation: Conversation
  readonly loaded: LoadedSession | null
  /** Up to this turn, everything was decided and counted by an earlier process. */
  readonly resumedTurn: number
  /** Writes what is new down. */
  save(): Promise<void>
  /** Notes what a request added, and writes it down once the request is on its way: nobody waits for the disk. */
  saveSoon(besides: Besides): void
  /**
   * Waits until everything that was noted is written. False when another process went on with the conversation, so that it
   * has to be read anew. What could not be written stays noted.
   */
  settled(): Promise<boolean>
  /** Whether all of it is written, and nobody else went on. */
  isSettled(): boolean
}

export interface OpenConversation {
  readonly id: string
  readonly store: Store | null
  readonly loaded: LoadedSession | null
  /** What was decided in the conversation that this one is a copy of. */
  readonly inherited: readonly LedgerEntry[]
  /** The model that it is about to talk to; null when the host did not say. */
  readonly model: string | null
}

/** A conversation as it was left, or a new one. */
export function openConversation(
  { id, store, loaded, inherited, model }: OpenConversation,
  parts: ConversationParts,
): SavedConversation {
  const { maker, calibration, directory } = parts
  const { settings, protection } = maker
  const ledger = loaded === null || loaded.ledger.length === 0 ? inherited : loaded.ledger
  const lastRequest = ledger.findLast((entry) => entry.kind === 'request')
  const engine = maker.make(ledger, { cwd: directory, model: lastRequest?.model ?? model })
  for (const history of loaded === null ? [] : historiesOf(loaded)) engine.record.append(history)
  const conversation = new Conversation({ engine, settings, protection, calibration, lastRequest })
  const writer = store === null || loaded === null ? null : createSessionWriter(store, loaded)
  return {
    id,
    conversation,
    loaded,
    resumedTurn: ledger.reduce((latest, { turn }) => Math.max(latest, turn), 0),
    ...createSaving(conversation, writer, parts.onProblem),
  }
}

function createSaving(
  conversation: Conversation,
  writer: SessionWriter | null,
  onProblem: ConversationParts['onProblem'],
): Pick<SavedConversation, 'save' | 'saveSoon' | 'settled' | 'isSettled'> {
  let settling: Promise<boolean> = Promise.resolve(true)
  let unsettled = 0

  function note(besides: Besides): boolean {
    const { engine, request } = conversation
    if (writer === null || request === undefined) return false
    writer.note(engine, request, besides)
    return true
  }

  async function write(): Promise<boolean> {
    unsettled++
    let isDone = true
    try {
      isDone = writer === null || (await writer.flush()).kind === 'done'
    } catch (problem) {
      onProblem('the store cannot be written; it is tried again', problem)
    }
    // Who is behind is never settled again.
    if (isDone) unsettled--
    return isDone
  }

  return {
    async save() {
      if (note({})) settling = write()
      await settling
    },
    saveSoon(besides) {
      if (!note(besides)) return
      unsettled++
      settling = new Promise((resolve) =>
        setImmediate(() => {
          unsettled--
          resolve(write())
        }),
      )
    },
    settled: () => settling,
    isSettled: () => unsettled === 0,
  }
}
