import { budgetLines, contextInfo, inventoryLines, pressureLine } from '../agent/context-info.ts'
import { contextPrune, summarise } from '../agent/context-prune.ts'
import { explainLines } from '../agent/explain.ts'
import { findItem, handleIn } from '../agent/find-item.ts'
import { funnelLines, funnelOf } from '../agent/funnel.ts'
import { sweep } from '../agent/sweep.ts'
import { strategyStats } from '../report/stats.ts'
import { effectivenessTable } from '../report/stats-table.ts'
import type { Conversation } from './conversation.ts'
import type { Conversations } from './conversations.ts'
import type { ManualMode } from './manual-mode.ts'
import { totalLines } from './totals.ts'

export interface CommandParts {
  readonly conversations: Conversations
  readonly manual: ManualMode
}

const help = [
  '/palimpsest COMMAND, or /acp COMMAND:',
  '',
  '  stats            what each strategy saved, here and in all conversations',
  '  context          tokens by category, and the pruning funnel',
  '  list             what could be pruned, with handles',
  '  restore HASH     shows it in full again, from the next request on',
  '  prune HASH…      discards it, from the next request on',
  '  sweep [n]        discards outputs since your last message, or the last n',
  '  manual on|off    only what you or the agent ask for is done',
  '  explain HASH     how an item is shown, since when and why',
].join('\n')

const unseen = 'Nothing of this conversation has been sent since OpenCode was started.'

/** Runs a command and returns the text that answers it. */
export async function runCommand(
  words: string,
  sessionID: string,
  { conversations, manual }: CommandParts,
): Promise<string> {
  const [name = 'help', ...rest] = words
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (name === 'help') return help
  if (name === 'manual') return switchManual(rest[0], manual)
  const conversation = await conversations.known(sessionID)
  if (name === 'stats') return (await statsLines(conversation, conversations)).join('\n')
  if (conversation === null) return unseen
  switch (name) {
    case 'context':
      return contextLines(conversation).join('\n')
    case 'list':
      return inventoryLines(contextInfo(conversation.agentSession()).inventory).join('\n')
    case 'prune':
      return prune(rest, conversation)
    case 'sweep':
      return sweepAll(rest[0], conversation)
    case 'restore':
      return restore(rest[0], conversation)
    case 'explain':
      return explainLines(conversation.agentSession(), handleIn(rest[0] ?? '') ?? '').join('\n')
    default:
      return `There is no /palimpsest ${name}.\n\n${help}`
  }
}

function switchManual(state: string | undefined, manual: ManualMode): string {
  if (state === 'on' || state === 'off') manual.switch(state)
  else if (state !== undefined) return 'Say /palimpsest manual on, or /palimpsest manual off.'
  return manual.isOn()
    ? 'Manual mode is on: only what you or the agent ask for is done.'
    : 'Manual mode is off: strategies decide by themselves.'
}

async function statsLines(
  conversation: Conversation | null,
  conversations: Conversations,
): Promise<readonly string[]> {
  return [
    ...effectivenessTable(strategyStats(conversation?.decided.all() ?? [])),
    '',
    ...totalLines(await conversations.totals()),
  ]
}

function contextLines(conversation: Conversation): readonly string[] {
  const session = conversation.agentSession()
  const { pressure, budget } = contextInfo(session)
  return [
    pressureLine(pressure),
    ...budgetLines(budget, pressure.limitTokens),
    '',
    ...funnelLines(funnelOf(session)),
  ]
}

async function prune(handles: readonly string[], conversation: Conversation): Promise<string> {
  if (handles.length === 0)
    return 'Name the handles: /palimpsest prune a1b2c3 d4e5f6. /palimpsest list has them.'
  const targets = handles.map((handle) => [handle])
  const session = conversation.agentSession()
  const { text } = contextPrune(session, { action: 'discard', targets }, 'user')
  await conversation.save()
  return text
}

async function sweepAll(count: string | undefined, conversation: Conversation): Promise<string> {
  const wanted = count === undefined ? null : Number(count)
  if (wanted !== null && !(Number.isSafeInteger(wanted) && wanted > 0)) {
    return 'Say how many: /palimpsest sweep 5, or /palimpsest sweep for all since your last message.'
  }
  const answers = sweep(conversation.agentSession(), wanted)
  if (answers.length === 0) return 'There is no tool output to sweep.'
  await conversation.save()
  return summarise('discard', answers).text
}

async function restore(given: string | undefined, conversation: Conversation): Promise<string> {
  const handle = handleIn(given ?? '')
  if (handle === null) return 'Name the handle: /palimpsest restore a1b2c3.'
  const found = findItem(conversation.agentSession(), handle)
  if (found.kind === 'unknown') return `${handle}: no item of this conversation has this handle.`
  if (found.kind === 'ambiguous') return `${handle} is ambiguous: ${found.handles.join(', ')}`
  if (!conversation.engine.undo(found.item.handle)) return `${handle} is shown in full already.`
  await conversation.save()
  return `✓ ${handle} is shown in full again, from the next request on, and stays so.`
}
