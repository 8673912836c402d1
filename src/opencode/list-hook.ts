import type { Settings } from '../core/words/settings.ts'
import { applyInPlace } from '../formats/opencode/index.ts'
import { logLine } from '../report/log-lines.ts'
import type { Conversation, PreparedList } from './conversation.ts'
import type { Conversations } from './conversations.ts'
import type { ManualMode } from './manual-mode.ts'
import type { MemoryMessages } from './memory-messages.ts'
import {
  lastUserMessage,
  newestTime,
  providerName,
  providerOf,
  sessionOf,
} from './message-facts.ts'
import type { Notices } from './notices.ts'
import type { Parents } from './parents.ts'
import { pruneNotice } from './prune-notice.ts'
import { reminderMessage } from './reminder-message.ts'
import { requestStatistics } from './request-statistics.ts'
import { tailReminder } from './tail-reminder.ts'

export interface ListParts {
  /** Whether conversations that another conversation started are pruned too. */
  readonly subAgents: boolean
  readonly settings: Settings
  readonly manual: ManualMode
  readonly conversations: Conversations
  readonly parents: Parents
  readonly notices: Notices
  /** When each conversation's compaction began, in Unix milliseconds. */
  readonly compacting: Map<string, number>
  /** Injects memory; null when the configuration does not ask for it. */
  readonly memory: MemoryMessages | null
}

/** A list of the host, and the part of it that belongs to the conversation. */
interface HostList {
  readonly id: string
  readonly messages: unknown[]
  readonly list: readonly unknown[]
  readonly isSummary: boolean
}

/** Changes the host's list in place, before a call to the model. The caller catches what goes wrong. */
export function createListHook(parts: ListParts): (messages: unknown[]) => Promise<void> {
  const { conversations, subAgents, parents, notices, settings, manual, compacting, memory } = parts

  /** null for a summary, about which nothing is decided. */
  function show(
    { messages, list, isSummary }: HostList,
    conversation: Conversation,
  ): PreparedList | null {
    if (isSummary) {
      applyInPlace(messages, conversation.shownAgain(list))
      return null
    }
    const prepared = conversation.prepare(list, Date.now())
    if (prepared.fault !== null) {
      notices.problem('the messages were not changed', prepared.fault)
    }
    applyInPlace(messages, prepared.list)
    return prepared
  }

  async function injectMemory(
    { messages, id }: HostList,
    prepared: PreparedList | null,
  ): Promise<void> {
    try {
      const opened = prepared?.turn.receipt.epoch?.reason ?? null
      await memory?.inject(messages, id, { isTurn: prepared !== null, opened })
    } catch (problem) {
      notices.problem('memory cannot be injected', problem)
    }
  }

  function finish(
    { messages, id }: HostList,
    conversation: Conversation,
    prepared: PreparedList,
  ): void {
    const { decided, turn } = prepared
    if (!manual.isOn()) {
      const reminder = tailReminder(conversation)
      if (reminder !== null) messages.push(reminderMessage(messages, id, reminder))
    }
    if (turn.receipt.epoch !== null) pruneNotice(conversation, { settings, notices }, decided)
    conversation.saveSoon(requestStatistics(prepared, conversation.resumedTurn))
    if (decided.length === 0) return
    // The request does not wait for the log.
    setImmediate(() => {
      for (const each of decided) notices.log('debug', logLine(each, conversation.engine))
    })
  }

  /**
   * For a summary OpenCode sends any number of lists, all of messages that were there when the compaction began. The next
   * request has a newer one.
   */
  function isForSummary(id: string, messages: readonly unknown[]): boolean {
    const began = compacting.get(id)
    if (began === undefined) return false
    if (newestTime(messages) <= began) return true
    compacting.delete(id)
    return false
  }

  return async (messages) => {
    const id = sessionOf(messages)
    if (id === null) return
    const isSummary = isForSummary(id, messages)
    if (!isSummary && providerOf(lastUserMessage(messages)) === providerName) {
      // A command of ours: the answer does not depend on the conversation.
      applyInPlace(messages, messages.slice(-1))
      return
    }
    const list = messages.filter((message) => providerOf(message) !== providerName)
    if (!subAgents && (await parents.of(id)) !== null) {
      applyInPlace(messages, list)
      return
    }
    const host = { id, messages, list, isSummary }
    const conversation = await conversations.open(id, list)
    const prepared = show(host, conversation)
    await injectMemory(host, prepared)
    if (prepared !== null) finish(host, conversation, prepared)
  }
}
