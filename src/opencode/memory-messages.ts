import { isJsonObject } from '../core/words/json.ts'
import type { EpochReason } from '../core/words/ledger.ts'
import { type InjectRequest, injectedSoFar, injectMemory } from '../memory/inject/inject-memory.ts'
import { isColdEpoch, longestTask } from '../memory/inject/inject-request.ts'
import type { Memory } from '../memory/memory.ts'
import type { Resource } from '../session/resource.ts'
import { infoOf } from './message-facts.ts'

export interface MemoryMessages {
  /** Adds memory to a list that is about to be sent, in place. */
  inject(messages: unknown[], id: string, how: InjectionOptions): Promise<void>
}

export interface InjectionOptions {
  /** False for a list that only goes into a summary. */
  readonly isTurn: boolean
  readonly opened: EpochReason | null
}

export interface MemoryMessagesOptions {
  readonly memory: Resource<Memory>
  readonly directory: string
  readonly budgetTokens: number | undefined
}

export function createMemoryMessages(options: MemoryMessagesOptions): MemoryMessages {
  return {
    async inject(messages, id, { isTurn, opened }) {
      const memory = await options.memory.open()
      const firstUser = messages.findIndex((message) => infoOf(message).role === 'user')
      if (firstUser === -1) return
      const task = textOf(messages[firstUser])
      const { budgetTokens, directory } = options
      const request: InjectRequest = {
        session: id,
        place: { project: directory, session: id },
        count: messages.length,
        keyOf: (index) => String(infoOf(messages[index]).id),
        firstUser,
        isFirst: !messages.some((message) => infoOf(message).role === 'assistant'),
        isCold: isColdEpoch(opened),
        ...(task === null ? {} : { task }),
        ...(budgetTokens === undefined ? {} : { budgetTokens }),
      }
      const places = await (isTurn ? injectMemory : injectedSoFar)(memory, request)
      // From the last to the first, so that earlier positions stay valid.
      for (const [number, place] of [...places.entries()].toReversed()) {
        const at = place.side === 'before' ? place.index : place.index + 1
        messages.splice(at, 0, memoryMessage(messages[firstUser], id, number, place.text))
      }
    },
  }
}

/** A message in the host's shape that the host does not store. */
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

function textOf(message: unknown): string | null {
  const parts = isJsonObject(message) && Array.isArray(message.parts) ? message.parts : []
  const found = parts.find((part) => isJsonObject(part) && typeof part.text === 'string')
  return isJsonObject(found) ? String(found.text).slice(0, longestTask) : null
}
