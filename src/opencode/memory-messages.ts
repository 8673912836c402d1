import { randomUUID } from 'node:crypto'
import { isJsonObject } from '../core/words/json.ts'
import type { EpochReason } from '../core/words/ledger.ts'
import { openLog } from '../memory/log/open-log.ts'
import { Memory } from '../memory/memory.ts'
import { type TellingRequest, tellMemory, toldUpToNow } from '../memory/tell/tell-memory.ts'
import type { StoreLocation } from '../store/location.ts'
import { infoOf } from './message-facts.ts'

export interface MemoryMessages {
  /** Puts what is remembered beside the messages of a list that is about to be sent, in place. */
  tell(messages: unknown[], id: string, how: TellingOf): Promise<void>
  close(): void
}

export interface TellingOf {
  /** False for a list that only goes into a summary. */
  readonly isTurn: boolean
  readonly opened: EpochReason | null
}

export interface MemoryMessagesOptions {
  readonly store: StoreLocation
  readonly directory: string
  readonly budgetTokens: number | undefined
}

/** Epochs in which nothing that was sent is cached, from the first byte on. */
const cold: ReadonlySet<EpochReason | null> = new Set<EpochReason>(['idle', 'model', 'resumed'])

export function createMemoryMessages(options: MemoryMessagesOptions): MemoryMessages {
  let opening: Promise<Memory> | null = null
  const open = async (): Promise<Memory> =>
    new Memory({
      log: await openLog(options.store),
      now: Date.now,
      newId: (kind) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 16)}`,
    })
  return {
    async tell(messages, id, { isTurn, opened }) {
      opening ??= open()
      const memory = await opening
      const firstUser = messages.findIndex((message) => infoOf(message).role === 'user')
      if (firstUser === -1) return
      const task = textOf(messages[firstUser])
      const { budgetTokens, directory } = options
      const request: TellingRequest = {
        session: id,
        place: { project: directory, session: id },
        count: messages.length,
        keyOf: (index) => String(infoOf(messages[index]).id),
        firstUser,
        isFirst: !messages.some((message) => infoOf(message).role === 'assistant'),
        isCold: cold.has(opened),
        ...(task === null ? {} : { task }),
        ...(budgetTokens === undefined ? {} : { budgetTokens }),
      }
      const places = await (isTurn ? tellMemory : toldUpToNow)(memory, request)
      // From the last to the first, so that positions hold.
      for (const [number, place] of [...places.entries()].toReversed()) {
        const at = place.side === 'before' ? place.index : place.index + 1
        messages.splice(at, 0, memoryMessage(messages[firstUser], id, number, place.text))
      }
    },
    close() {
      void opening?.then((memory) => memory.close())
    },
  }
}

/** A message of the host's shape that is in no database. */
function memoryMessage(beside: unknown, sessionID: string, number: number, text: string): unknown {
  const { agent, model, time } = infoOf(beside)
  const id = `msg_palimpsest_memory_${number}`
  return {
    info: { id, sessionID, role: 'user', time: time ?? { created: 0 }, agent, model },
    parts: [
      {
        id: `prt_palimpsest_memory_${number}`,
        sessionID,
        messageID: id,
        type: 'text',
        text,
        synthetic: true,
      },
    ],
  }
}

const longestTask = 2_000

function textOf(message: unknown): string | null {
  const parts = isJsonObject(message) && Array.isArray(message.parts) ? message.parts : []
  const found = parts.find((part) => isJsonObject(part) && typeof part.text === 'string')
  return isJsonObject(found) ? String(found.text).slice(0, longestTask) : null
}
