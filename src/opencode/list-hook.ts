import os from 'node:os'
import type { Settings } from '../core/words/settings.ts'
import { applyInPlace } from '../formats/opencode/index.ts'
import type { Listener } from '../memory/listen/listener.ts'
import { logLines } from '../report/log-lines.ts'
import { createSteadyClock } from '../session/steady-clock.ts'
import type { Conversation, PreparedList } from './conversation.ts'
import type { Conversations } from './conversations.ts'
import { listenTo } from './listen.ts'
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
  /** Reads the user's turns into the memory; null when the configuration says no. */
  readonly listener: Listener | null
  /** The project's folder. */
  readonly directory: string
}

/** A list of the host, and the part of it that belongs to the conversation. */
interface HostList {
  readonly id: string
  readonly messages: unknown[]
  readonly list: readonly unknown[]
  readonly isSummary: boolean
}

/** Changes the host's list in place, before a call to the model. The caller catches what goes wrong. */
export class ListHook {
  readonly #parts: ListParts
  readonly #clock = createSteadyClock({ uptimeMs: () => os.uptime() * 1000 })

  constructor(parts: ListParts) {
    this.#parts = parts
  }

  async change(messages: unknown[]): Promise<void> {
    const id = sessionOf(messages)
    if (id === null) return
    const isSummary = this.#isForSummary(id, messages)
    if (!isSummary && providerOf(lastUserMessage(messages)) === providerName) {
      // A command of ours: the answer does not depend on the conversation.
      applyInPlace(messages, messages.slice(-1))
      return
    }
    const list = messages.filter((message) => providerOf(message) !== providerName)
    if (!this.#parts.subAgents && (await this.#parts.parents.of(id)) !== null) {
      applyInPlace(messages, list)
      return
    }
    await this.#listen({ id, list, isSummary })
    const host = { id, messages, list, isSummary }
    const conversation = await this.#parts.conversations.open(id, list)
    const prepared = this.#show(host, conversation)
    await this.#injectMemory(host, prepared)
    if (prepared !== null) this.#finish(host, conversation, prepared)
  }

  /** Sub-agents are not spoken to by the user. */
  async #listen({ id, list, isSummary }: Omit<HostList, 'messages'>): Promise<void> {
    const { listener, directory, parents } = this.#parts
    if (listener === null || isSummary || (await parents.of(id)) !== null) return
    listenTo(listener, list, { project: directory, session: id })
  }

  /** null for a summary, about which nothing is decided. */
  #show({ messages, list, isSummary }: HostList, conversation: Conversation): PreparedList | null {
    if (isSummary) {
      applyInPlace(messages, conversation.shownAgain(list))
      return null
    }
    const prepared = conversation.prepare(list, this.#clock())
    if (prepared.fault !== null) {
      this.#parts.notices.problem('the messages were not changed', prepared.fault)
    }
    applyInPlace(messages, prepared.list)
    return prepared
  }

  async #injectMemory({ messages, id }: HostList, prepared: PreparedList | null): Promise<void> {
    try {
      const opened = prepared?.turn.receipt.epoch?.reason ?? null
      await this.#parts.memory?.inject(messages, id, { isTurn: prepared !== null, opened })
    } catch (problem) {
      this.#parts.notices.problem('memory cannot be injected', problem)
    }
  }

  #finish({ messages, id }: HostList, conversation: Conversation, prepared: PreparedList): void {
    const { decided, turn } = prepared
    if (!this.#parts.manual.isOn()) {
      const reminder = tailReminder(conversation)
      if (reminder !== null) messages.push(reminderMessage(messages, id, reminder))
    }
    if (turn.receipt.epoch !== null) pruneNotice(conversation, this.#parts, decided)
    conversation.saveSoon(requestStatistics(prepared, conversation.resumedTurn))
    if (decided.length === 0) return
    // The request does not wait for the log.
    setImmediate(() => {
      for (const line of logLines(decided, conversation.engine))
        this.#parts.notices.log('debug', line)
    })
  }

  /**
   * For a summary OpenCode sends any number of lists, all of messages that were there when the compaction began. The next
   * request has a newer one.
   */
  #isForSummary(id: string, messages: readonly unknown[]): boolean {
    const began = this.#parts.compacting.get(id)
    if (began === undefined) return false
    if (newestTime(messages) <= began) return true
    this.#parts.compacting.delete(id)
    return false
  }
}
