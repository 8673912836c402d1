import { arrayOf, isJsonObject, objectOf } from '../core/words/json.ts'
import { identityOf } from './json-fields.ts'
import { type OpenCodeMessage, readOpenCodeSession } from './opencode-session.ts'
import type { Recording, RecordingReader } from './recording.ts'

/** The output of `opencode export`: one JSON object with the session and its messages and their parts. */
export const openCodeExportReader: RecordingReader = {
  format: 'opencode-export',

  recognises(value) {
    if (!isJsonObject(value) || !isJsonObject(value.info) || !Array.isArray(value.messages)) {
      return false
    }
    const messages: readonly unknown[] = value.messages
    if (messages.length === 0) return 'projectID' in value.info || 'directory' in value.info
    return messages.some(
      (message) =>
        isJsonObject(message) && isJsonObject(message.info) && Array.isArray(message.parts),
    )
  },

  open(problem) {
    const recordings: Recording[] = []
    return {
      add(value, line) {
        if (!isJsonObject(value) || !Array.isArray(value.messages)) {
          problem({ line, message: 'not an OpenCode export: it has no list of messages' })
          return
        }
        const info = objectOf(value.info)
        const messages: OpenCodeMessage[] = []
        value.messages.forEach((message: unknown, index) => {
          if (isJsonObject(message) && isJsonObject(message.info)) {
            messages.push({ info: message.info, parts: arrayOf(message.parts) })
          } else {
            problem({ line, message: `message ${index} has no info and was left out` })
          }
        })
        const session = identityOf(info.id) ?? firstSession(messages) ?? null
        recordings.push(readOpenCodeSession({ format: 'opencode-export', info, session, messages }))
      },
      end: () => recordings,
    }
  },
}

function firstSession(messages: readonly OpenCodeMessage[]): string | undefined {
  for (const { info } of messages) {
    const session = identityOf(info.sessionID)
    if (session !== undefined) return session
  }
  return undefined
}
