import type { Settings } from '../core/words/settings.ts'
import { applyInPlace } from '../formats/opencode/index.ts'
import { logLine } from '../report/log-lines.ts'
import type { PreparedList } from './conversation.ts'
import type { Conversations } from './conversations.ts'
import { requestFigures } from './figures.ts'
import type { ManualMode } from './manual-mode.ts'
import type { MemoryMessages } from './memory-messages.ts'
import { lastUserMessage, newestTime, providerOf, sessionOf } from './message-facts.ts'
import type { Notices } from './notices.ts'
import type { Parents } from './parents.ts'
import type { PluginOptions } from './plugin-options.ts'
import { providerName } from './provider-name.ts'
import { pruneNotice } from './prune-notice.ts'
import { reminderMessage } from './reminder-message.ts'
import type { SavedConversation } from './saved-conversation.ts'
import { tailReminder } from './tail-reminder.ts'

export interface ListParts {
  readonly options: PluginOptions
  readonly settings: Settings
  readonly manual: ManualMode
  readonly conversations: Conversations
  readonly parents: Parents
  readonly notices: Notices
  /** When each conversation's compaction began, in Unix milliseconds. */
  readonly compacting: Map<string, number>
  /** Tells what is remembered; null when that is not wanted. */
  readonly memory: MemoryMessages | null
}

/** A list of the host, and the part of it that is the conversation's own. */
interface HostList {
  readonly id: string
  readonly messages: unknown[]
  readonly list: readonly unknown[]
  readonly isSummary: boolean
}

/** Changes the host's list in place, before a call to the model. Whoever calls it catches what goes wrong. */
export function createListHook(parts: ListParts): (messages: unknown[]) => Promise<void> | void {
  const { conversations, options, parents, notices, settings, manual, compacting, memory } = parts

  /** null when nothing is decided. */
  function show(
    { messages, list, isSummary }: HostList,
    { conversation }: SavedConversation,
  ): PreparedList | null {
    if (isSummary) {
      applyInPlace(messages, conversation.shownAgain(list))
      return null
    }
    const prepared = conversation.prepare(list, Date.now())
    if (prepared.fault !== null) {
      notices.problem('the messages stay as they are', prepared.fault)
    }
    applyInPlace(messages, prepared.list)
    return prepared
  }

  async function tell({ messages, id }: HostList, prepared: PreparedList | null): Promise<void> {
    try {
      const opened = prepared?.request.epoch?.reason ?? null
      await memory?.tell(messages, id, { isTurn: prepared !== null, opened })
    } catch (problem) {
      notices.problem('the memory cannot be told', problem)
    }
  }

  function finish(
    { messages, id }: HostList,
    saved: SavedConversation,
    prepared: PreparedList | null,
  ): void {
    if (prepared === null) return
    const { conversation } = saved
    const { decided, request } = prepared
    if (!manual.isOn()) {
      const reminder = tailReminder(conversation)
      if (reminder !== null) messages.push(reminderMessage(messages, id, reminder))
    }
    if (request.epoch !== null) pruneNotice(conversation, { settings, notices }, decided)
    saved.saveSoon(requestFigures(prepared, saved.resumedTurn))
    if (decided.length === 0) return
    // The request does not wait for the log.
    setImmediate(() => {
      for (const each of decided) notices.log('debug', logLine(each, conversation.engine))
    })
  }

  async function changeLater(host: HostList): Promise<void> {
    if (!options.subAgents && (await parents.of(host.id)) !== null) {
      applyInPlace(host.messages, host.list)
      return
    }
    const saved = await conversations.open(host.id, host.list)
    const prepared = show(host, saved)
    await tell(host, prepared)
    finish(host, saved, prepared)
  }

  /**
   * OpenCode sends the summary no list, one or several, but only of messages that were there when the compaction began. The
   * next request has a newer one.
   */
  function isForSummary(id: string, messages: readonly unknown[]): boolean {
    const began = compacting.get(id)
    if (began === undefined) return false
    if (newestTime(messages) <= began) return true
    compacting.delete(id)
    return false
  }

  return (messages) => {
    const id = sessionOf(messages)
    if (id === null) return
    const isSummary = isForSummary(id, messages)
    if (!isSummary && providerOf(lastUserMessage(messages)) === providerName) {
      // A command of ours: the answer does not depend on the conversation.
      applyInPlace(messages, messages.slice(-1))
      return
    }
    const list = messages.filter((message) => providerOf(message) !== providerName)
    const host = { id, messages, list, isSummary }
    const saved = options.subAgents && memory === null ? conversations.atHand(id) : null
    if (saved === null) return changeLater(host)
    finish(host, saved, show(host, saved))
  }
}
