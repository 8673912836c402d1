import { isJsonObject, type JsonObject } from '../core/words/json.ts'

/** The provider that answers our commands. It runs in this process, so its calls cost nothing. */
export const providerName = 'palimpsest'

/** The host's data about a message, without its parts. */
export function infoOf(message: unknown): JsonObject {
  const info = isJsonObject(message) ? message.info : undefined
  return isJsonObject(info) ? info : {}
}

/** The conversation that a list belongs to. Only the messages name it. */
export function sessionOf(messages: readonly unknown[]): string | null {
  for (const message of messages) {
    const { sessionID } = infoOf(message)
    if (typeof sessionID === 'string' && sessionID !== '') return sessionID
  }
  return null
}

/** The provider that a message was sent to or came from. */
export function providerOf(message: unknown): string | null {
  const info = infoOf(message)
  const model = isJsonObject(info.model) ? info.model : {}
  const provider = info.role === 'user' ? model.providerID : info.providerID
  return typeof provider === 'string' ? provider : null
}

/** The last message that a user wrote. */
export function lastUserMessage(messages: readonly unknown[]): unknown {
  return messages.findLast((message) => infoOf(message).role === 'user')
}

/** When the newest message was created, in Unix milliseconds. */
export function newestTime(messages: readonly unknown[]): number {
  return messages.reduce<number>((newest, message) => {
    const { time } = infoOf(message)
    const created = isJsonObject(time) ? time.created : undefined
    return typeof created === 'number' ? Math.max(newest, created) : newest
  }, 0)
}
