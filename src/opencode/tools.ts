import { contextInfo, contextInfoText } from '../agent/context-info.ts'
import { contextPrune } from '../agent/context-prune.ts'
import { contextRestore } from '../agent/context-restore.ts'
import type { AgentTool } from '../agent/tool-definitions.ts'
import type { Settings } from '../core/words/settings.ts'
import type { Conversations } from './conversations.ts'
import type { Notices } from './notices.ts'
import { pruneNotice } from './prune-notice.ts'
import type { SavedConversation } from './saved-conversation.ts'

interface ToolParts {
  readonly settings: Settings
  readonly conversations: Conversations
  readonly notices: Notices
}

/** Runs a tool of the agent in a conversation, and gives its answer. */
export type ToolRun = (name: AgentTool['name'], args: unknown, sessionID: string) => Promise<string>

const unseen = 'Nothing of this conversation has been seen yet.'

export function createToolRuns(parts: ToolParts): ToolRun {
  return async (name, args, sessionID) => {
    const saved = await parts.conversations.known(sessionID)
    if (saved === null) return unseen
    const session = saved.conversation.session()
    switch (name) {
      case 'context_prune':
        return prune(args, saved, parts)
      case 'context_info':
        return contextInfoText(contextInfo(session))
      case 'context_restore':
        return contextRestore(session, args, (handle) =>
          parts.conversations.original(handle, saved),
        )
    }
  }
}

async function prune(args: unknown, saved: SavedConversation, parts: ToolParts): Promise<string> {
  const pruned = contextPrune(saved.conversation.session(), args)
  if (pruned.tokens > 0) {
    await saved.save()
    pruneNotice(saved.conversation, parts)
  }
  return pruned.text
}
