import type { Reminder } from '../agent/reminders.ts'
import { infoOf, lastUserMessage } from './message-facts.ts'

/** A message in the host's shape, at the end of one request only. */
export function reminderMessage(
  messages: readonly unknown[],
  sessionID: string,
  { text }: Reminder,
): unknown {
  const { agent, model, time } = infoOf(lastUserMessage(messages))
  const id = 'msg_palimpsest_reminder'
  return {
    info: { id, sessionID, role: 'user', time: time ?? { created: 0 }, agent, model },
    parts: [
      {
        id: 'prt_palimpsest_reminder',
        sessionID,
        messageID: id,
        type: 'text',
        text,
        synthetic: true,
      },
    ],
  }
}
