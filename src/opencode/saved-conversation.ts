import { createUnderstanding } from '../actions/understand.ts'
import type { Config } from '../config/config.ts'
import { createEngine } from '../core/engine.ts'
import type { Protection } from '../core/guard/guard.ts'
import type { LedgerEntry } from '../core/ledger.ts'
import type { Calibration } from '../core/record/calibration.ts'
import type { Settings } from '../core/settings.ts'
import { historiesOf } from '../store/histories.ts'
import { type Besides, createSessionWriter, type SessionWriter } from '../store/session-writer.ts'
import type { LoadedSession, Store } from '../store/store.ts'
import { Conversation } from './conversation.ts'

export interface ConversationParts {
  readonly config: Config
  readonly settings: Settings
  readonly protection: Protection
  readonly calibration: Calibration
  readonly directory: string
}

/** A conversation with its place in the store, if there is one. */
export interface SavedConversation {
  readonly id: string
  readonly conversation: Conversation
  readonly loaded: LoadedSession | null
  /** Up to this turn, everything was decided and counted by an earlier process. */
  readonly resumedTurn: number
  /** Writes what is new down; false when another process went on with the conversation, so that it has to be read anew. */
  save(besides?: Besides): Promise<boolean>
}

export interface OpenConversation {
  readonly id: string
  readonly store: Store | null
  readonly loaded: LoadedSession | null
  /** What was decided in the conversation that this one is a copy of. */
  readonly inherited: readonly LedgerEntry[]
}

/** A conversation as it was left, or a new one. */
export function openConversation(
  { id, store, loaded, inherited }: OpenConversation,
  parts: ConversationParts,
): SavedConversation {
  const { config, settings, protection, calibration, directory } = parts
  const ledger = loaded === null || loaded.ledger.length === 0 ? inherited : loaded.ledger
  const engine = createEngine({
    settings,
    understanding: () => createUnderstanding({ cwd: directory, mappings: config.toolMappings }),
    protection,
    ledger,
    regimes: 'model',
    models: config.models,
  })
  for (const history of loaded === null ? [] : historiesOf(loaded)) engine.record.append(history)
  const lastRequest = ledger.findLast((entry) => entry.kind === 'request')
  const conversation = new Conversation({ engine, settings, protection, calibration, lastRequest })
  const writer = store === null || loaded === null ? null : createSessionWriter(store, loaded)
  return {
    id,
    conversation,
    loaded,
    resumedTurn: ledger.reduce((latest, { turn }) => Math.max(latest, turn), 0),
    save: (besides) => save(conversation, writer, besides),
  }
}

async function save(
  { engine, request }: Conversation,
  writer: SessionWriter | null,
  besides: Besides = {},
): Promise<boolean> {
  if (writer === null || request === undefined) return true
  writer.note(engine, request, besides)
  return (await writer.flush()).kind === 'done'
}
