import { contextInfo, contextInfoText } from '../agent/context-info.ts'
import { contextPrune } from '../agent/context-prune.ts'
import { contextRestore } from '../agent/context-restore.ts'
import type { AgentTool } from '../agent/tool-definitions.ts'
import type { Settings } from '../core/words/settings.ts'
import type { Conversation } from './conversation.ts'
import type { Conversations } from './conversations.ts'
import type { Notices } from './notices.ts'
import { pruneNotice } from './prune-notice.ts'

interface ToolParts {
  readonly settings: Settings
  readonly conversations: Conversations
  readonly notices: Notices
}

/** Runs one of the agent's context tools in a conversation and returns its answer. */
export type ToolRun = (name: AgentTool['name'], args: unknown, sessionID: string) => Promise<string>

const unseen = 'Nothing of this conversation has been seen yet.'

export function createToolRuns(parts: ToolParts): ToolRun {
  return async (name, args, sessionID) => {
    const conversation = await parts.conversations.known(sessionID)
    if (conversation === null) return unseen
    const session = conversation.agentSession()
    switch (name) {
      case 'context_prune':
        return prune(args, conversation, parts)
      case 'context_info':
        return contextInfoText(contextInfo(session))
      case 'context_restore':
        return contextRestore(session, args, (handle) =>
          parts.conversations.original(handle, sessionID),
        )
    }
  }
}

async function prune(args: unknown, conversation: Conversation, parts: ToolParts): Promise<string> {
  const pruned = contextPrune(conversation.agentSession(), args)
  if (pruned.tokens > 0) {
    await conversation.save()
    pruneNotice(conversation, parts)
  }
  return pruned.text
}
