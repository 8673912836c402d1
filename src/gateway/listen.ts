import type { Body, RequestRead } from '../formats/format.ts'
import { offeredTools } from '../formats/offered-tools.ts'
import type { Listener } from '../memory/listen/listener.ts'
import { newTurns } from '../memory/listen/new-turns.ts'
import type { Identity } from '../session/identity.ts'

export interface HeardRequest {
  readonly read: RequestRead<Body>
  readonly identity: Identity
  readonly session: string
  readonly project: string
}

/** Hands the user's new turns of a request to the memory. Returns at once and never throws. */
export function listenTo(listener: Listener, request: HeardRequest): void {
  const { read, identity, session, project } = request
  if (identity.isStranger === true) return
  if (identity.parent !== null || !isFromUser(offeredTools(read))) return
  const last = read.messages.findLastIndex(({ role }) => role === 'assistant')
  const spoken = read.messages.slice(Math.max(0, last)).map(({ role, items }) => ({
    role,
    text: items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])).join('\n'),
  }))
  listener.hear(newTurns(spoken, session), { project, session }, identity.owner)
}

/**
 * Requests without tools are for titles and summaries. Sub-agents of Claude Code get their task from the agent, not from
 * the user; they are the ones that cannot start agents themselves.
 */
function isFromUser(tools: readonly string[]): boolean {
  const offers = (name: string): boolean => tools.some((text) => text.includes(`"${name}"`))
  if (tools.length === 0) return false
  const isClaudeCode = offers('Bash') && offers('Read') && offers('Edit')
  return !isClaudeCode || offers('Task') || offers('Agent')
}
