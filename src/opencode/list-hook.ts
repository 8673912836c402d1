import { logLine } from '../core/log-lines.ts'
import type { Settings } from '../core/settings.ts'
import { applyInPlace } from '../formats/opencode/index.ts'
import type { Conversations } from './conversations.ts'
import { requestFigures } from './figures.ts'
import type { ManualMode } from './manual-mode.ts'
import type { MemoryMessages, TellingOf } from './memory-messages.ts'
import { lastUserMessage, providerOf, sessionOf } from './message-facts.ts'
import type { Notices } from './notices.ts'
import type { Parents } from './parents.ts'
import type { PluginOptions } from './plugin-options.ts'
import { providerName } from './provider-name.ts'
import { pruneNotice } from './prune-notice.ts'
import { reminderMessage } from './reminder-message.ts'
import { tailReminder } from './tail-reminder.ts'

export interface ListParts {
  readonly options: PluginOptions
  readonly settings: Settings
  readonly manual: ManualMode
  readonly conversations: Conversations
  readonly parents: Parents
  readonly notices: Notices
  /** Conversations whose next list only goes into a summary. */
  readonly compacting: Set<string>
  /** Tells what is remembered; null when that is not wanted. */
  readonly memory: MemoryMessages | null
}

/** Changes the host's list in place, before a call to the model. Whoever calls it catches what goes wrong. */
export function createListHook(parts: ListParts): (messages: unknown[]) => Promise<void> {
  const { conversations, options, parents, notices, settings, manual, compacting, memory } = parts
  const tell = async (messages: unknown[], id: string, how: TellingOf): Promise<void> => {
    try {
      await memory?.tell(messages, id, how)
    } catch (problem) {
      notices.problem('the memory cannot be told', problem)
    }
  }
  return async (messages) => {
    const id = sessionOf(messages)
    if (id === null) return
    if (providerOf(lastUserMessage(messages)) === providerName) {
      // A command of ours: the answer does not depend on the conversation.
      applyInPlace(messages, messages.slice(-1))
      return
    }
    const isSummary = compacting.delete(id)
    const list = messages.filter((message) => providerOf(message) !== providerName)
    if (!options.subAgents && (await parents.of(id)) !== null) {
      applyInPlace(messages, list)
      return
    }
    const saved = await conversations.open(id, list)
    const { conversation } = saved
    if (isSummary) {
      applyInPlace(messages, conversation.shownAgain(list))
      await tell(messages, id, { isTurn: false, opened: null })
      return
    }
    const prepared = conversation.prepare(list, Date.now())
    if (prepared.fault !== null) {
      notices.problem('the messages stay as they are', prepared.fault)
    }
    applyInPlace(messages, prepared.list)
    for (const decided of prepared.decided) {
      notices.log('debug', logLine(decided, conversation.engine))
    }
    await tell(messages, id, { isTurn: true, opened: prepared.request.epoch?.reason ?? null })
    if (!manual.isOn()) {
      const reminder = tailReminder(conversation, options.triggers)
      if (reminder !== null) messages.push(reminderMessage(messages, id, reminder))
    }
    if (prepared.request.epoch !== null)
      pruneNotice(conversation, { settings, notices }, prepared.decided)
    saved.saveSoon(requestFigures(prepared, saved.resumedTurn))
  }
}
