import { isJsonObject } from '../core/words/json.ts'
import type { Listener } from '../memory/listen/listener.ts'
import { newTurns } from '../memory/listen/new-turns.ts'
import type { Place } from '../memory/observe.ts'
import { infoOf } from './message-facts.ts'

/** Hands the user's new turns of a list to the memory. Returns at once and never throws. */
export function listenTo(listener: Listener, list: readonly unknown[], place: Place): void {
  const last = list.findLastIndex((message) => infoOf(message).role === 'assistant')
  const spoken = list
    .slice(Math.max(0, last))
    .map((message) => ({ role: String(infoOf(message).role), text: typedIn(message) }))
  listener.hear(newTurns(spoken, place.session), place)
}

/** The text of a message without the parts that the host or a plugin added. */
function typedIn(message: unknown): string {
  const parts = isJsonObject(message) && Array.isArray(message.parts) ? message.parts : []
  return parts
    .flatMap((part) =>
      isJsonObject(part) && part.type === 'text' && part.synthetic !== true
        ? [String(part.text ?? '')]
        : [],
    )
    .join('\n')
}
