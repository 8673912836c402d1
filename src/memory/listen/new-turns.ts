import { hash } from 'node:crypto'
import { isSummary } from '../../core/guard/summary.ts'
import type { Message } from '../observe.ts'

/** The text parts of one message in a request, without tool results and attachments. */
export interface RequestMessage {
  readonly role: string
  readonly text: string
}

/** Blocks that clients add to what the user typed. */
const addedBlocks =
  /<(system-reminder|environment_context|user_instructions|INSTRUCTIONS|command-[\w-]+|local-command-[\w-]+|ide_\w+|task-notification|file|attachment)\b[^>]*>[\s\S]*?<\/\1>/g
/** Messages that clients write in the user's name: instruction files, interruptions. */
const notTyped =
  /^(?:# AGENTS\.md instructions|This is the Gemini CLI|\[Request interrupted|Caveat: The messages below|Please continue the conversation from where|<)/

/** What the user typed in a message; empty when a client wrote it. */
export function typedText(text: string): string {
  const own = text.replace(addedBlocks, '').trim()
  return notTyped.test(own) || isSummary(own) ? '' : own
}

/** A turn for the memory to read. */
export interface Turn extends Message {
  /** No answer precedes it: a conversation begins, or its compacted history repeats what the user said. */
  readonly isOpening?: true
}

/**
 * The turns of a request that no earlier request of the conversation had: what the user said after the last answer, and
 * that answer. An id depends only on what was said and on the answer before it, so a turn has the same id in retries,
 * forks and resumed sessions. The first turn of a conversation also depends on the session.
 */
export function newTurns(messages: readonly RequestMessage[], session: string): readonly Turn[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const answer = messages[last]?.text.trim() ?? ''
  const said = messages
    .slice(last + 1)
    .filter(({ role }) => role === 'user')
    .flatMap(({ text }) => typedText(text) || [])
  if (said.length === 0) return []
  const after = last === -1 ? session : answer
  const turns = said.map(
    (text): Turn => ({
      id: turnId('user', after, text),
      role: 'user',
      text,
      ...(last === -1 ? { isOpening: true } : {}),
    }),
  )
  return answer === ''
    ? turns
    : [{ id: turnId('assistant', '', answer), role: 'assistant', text: answer }, ...turns]
}

function turnId(role: string, after: string, text: string): string {
  return `turn_${hash('sha256', [role, after, text].join('\u001f')).slice(0, 24)}`
}
