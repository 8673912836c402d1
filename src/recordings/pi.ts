import type { ItemDraft } from '../core/words/item.ts'
import { isJsonObject, type JsonObject, objectOf } from '../core/words/json.ts'
import { addToList } from '../core/words/lists.ts'
import { Conversation } from './conversation.ts'
import { identityOf, jsonText, textOf, timeOf } from './json-fields.ts'
import { ObjectBuilder } from './object-builder.ts'
import {
  bashExecutionItem,
  branchSummaryText,
  compactionText,
  readBlocks,
  readSystemPrompt,
  readToolResult,
  readUsage,
} from './pi-message.ts'
import type { Recording, RecordingReader } from './recording.ts'

const entryTypes: ReadonlySet<unknown> = new Set([
  'model_change',
  'thinking_level_change',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'session_info',
])

const messageRoles: ReadonlySet<unknown> = new Set([
  'user',
  'assistant',
  'toolResult',
  'bashExecution',
  'custom',
  'hookMessage',
  'branchSummary',
  'compactionSummary',
])

/** Pi's session file: JSON Lines in chronological order. Since version 2 each line has a parent. */
export const piReader: RecordingReader = {
  format: 'pi',

  recognises(value) {
    if (!isJsonObject(value) || typeof value.timestamp !== 'string') return false
    if (value.type === 'session') return typeof value.id === 'string'
    return value.type === 'message' && messageRoles.has(objectOf(value.message).role)
  },

  open: (problem) => new PiBuilder(problem),
}

interface WaitingCall {
  readonly call: string
  readonly tool: string
}

class PiBuilder extends ObjectBuilder {
  readonly #conversation = new Conversation()
  readonly #entryById = new Map<string, PiEntry>()
  /** One element for each line including the header, because old compactions refer to entries by index. */
  readonly #entries: (PiEntry | undefined)[] = []
  #waiting = new Map<string, WaitingCall[]>()
  #leaf: PiEntry | undefined
  #header: JsonObject = {}
  #messages = 0

  protected addObject(value: JsonObject, line: number): void {
    if (value.type === 'session') {
      this.#header = value
      this.#entries.push(undefined)
      return
    }
    const parent = this.#parentOf(value, line)
    if (parent !== this.#leaf) {
      this.#conversation.rewind(viewAt(parent), timeOf(value.timestamp))
    }
    const entry =
      value.type === 'compaction'
        ? this.#compact(value, parent)
        : { parent, position: this.#addEntry(value, line) }
    this.#leaf = entry
    this.#entries.push(entry)
    const id = identityOf(value.id)
    if (id !== undefined) this.#entryById.set(id, entry)
  }

  end(): readonly Recording[] {
    if (this.#entries.length === 0) return []
    const { events, model } = this.#conversation.end()
    return [
      {
        format: 'pi',
        session: identityOf(this.#header.id) ?? null,
        parent: textOf(this.#header.parentSession) ?? textOf(this.#header.branchedFrom) ?? null,
        model: model ?? textOf(this.#header.modelId) ?? null,
        cwd: textOf(this.#header.cwd) ?? null,
        events,
        messages: this.#messages,
        subagentRecords: 0,
      },
    ]
  }

  /** An entry without a parent id follows the entry before it, as in files of version 1. */
  #parentOf(value: JsonObject, line: number): PiEntry | undefined {
    if (value.parentId === null && identityOf(value.id) !== undefined) return undefined
    const parentId = identityOf(value.parentId)
    if (parentId === undefined) return this.#leaf
    const parent = this.#entryById.get(parentId)
    if (parent === undefined) {
      this.problem({ line, message: `the parent ${parentId} is not in the file` })
      return this.#leaf
    }
    return parent
  }

  #addEntry(value: JsonObject, line: number): number | undefined {
    const at = timeOf(value.timestamp)
    switch (value.type) {
      case 'message':
        return this.#addMessage(value, line)
      case 'custom_message':
        return this.#addItems('user', readBlocks(value.content, this.#nameUserCall), at)
      case 'branch_summary': {
        const summary = textOf(value.summary)
        if (summary === undefined) return undefined
        return this.#addItems('user', [{ kind: 'text', text: branchSummaryText(summary) }], at)
      }
      default:
        if (!entryTypes.has(value.type)) {
          this.problem({ line, message: `unknown entry type ${jsonText(value.type)}` })
        }
        return undefined
    }
  }

  #addMessage(value: JsonObject, line: number): number | undefined {
    const message = objectOf(value.message)
    const at = timeOf(message.timestamp) ?? timeOf(value.timestamp)
    this.#messages += 1
    switch (message.role) {
      case 'user':
      case 'custom':
      case 'hookMessage':
        return this.#addItems('user', readBlocks(message.content, this.#nameUserCall), at)
      case 'system':
        return this.#addItems('system', readSystemPrompt(message), at)
      case 'assistant':
        return this.#answer(message, at)
      case 'toolResult': {
        const recorded = textOf(message.toolCallId) ?? ''
        const call = this.#settle(recorded, textOf(message.toolName) ?? '', line)
        return this.#addItems('tool', readToolResult(message, call), at)
      }
      case 'bashExecution':
        return this.#addItems('user', [bashExecutionItem(message)], at)
      case 'branchSummary':
        return this.#addItems('user', [summaryItem(message, branchSummaryText)], at)
      case 'compactionSummary':
        return this.#addItems('user', [summaryItem(message, compactionText)], at)
      default:
        this.#messages -= 1
        this.problem({ line, message: `unknown role ${jsonText(message.role)}` })
        return undefined
    }
  }

  #answer(message: JsonObject, at: number | undefined): number {
    const named = new Map<string, WaitingCall[]>()
    const items = readBlocks(message.content, (recorded, tool) => {
      const call = this.#conversation.calls.issue(identityOf(recorded) ?? '', tool)
      addToList(named, recorded, { call, tool })
      return call
    })
    // Kimi reuses call ids when an aborted turn is retried, so the new calls replace the old ones.
    for (const [recorded, calls] of named) this.#waiting.set(recorded, calls)
    return this.#conversation.message({
      role: 'assistant',
      items,
      at,
      model: textOf(message.model),
      usage: readUsage(message.usage),
    })
  }

  #settle(recorded: string, tool: string, line: number): WaitingCall {
    const waiting = this.#waiting.get(recorded)?.shift()
    if (waiting !== undefined) return waiting
    this.problem({ line, message: `no call before the result of ${recorded}` })
    return { call: this.#conversation.calls.issue(identityOf(recorded) ?? '', tool), tool }
  }

  #addItems(
    role: 'system' | 'user' | 'tool',
    items: readonly ItemDraft[],
    at: number | undefined,
  ): number {
    return this.#conversation.message({ role, items, at })
  }

  /** Names calls in user messages, which have no results. */
  readonly #nameUserCall = (recorded: string, tool: string): string =>
    this.#conversation.calls.issue(identityOf(recorded) ?? '', tool)

  #compact(value: JsonObject, parent: PiEntry | undefined): PiEntry {
    const at = timeOf(value.timestamp)
    const index = value.firstKeptEntryIndex
    const id = identityOf(value.firstKeptEntryId)
    const byIndex = typeof index === 'number' ? this.#entries[index] : undefined
    const firstKept = id === undefined ? byIndex : this.#entryById.get(id)
    this.#conversation.compaction(keptBy(parent, firstKept), at)
    const position = this.#addItems('user', [summaryItem(value, compactionText)], at)
    return { parent, position, compaction: { firstKept } }
  }
}

function summaryItem(message: JsonObject, frame: (summary: string) => string): ItemDraft {
  return { kind: 'text', text: frame(textOf(message.summary) ?? '') }
}

/** An entry of a Pi session: the message it became and, for a compaction, the first entry it kept. */
interface PiEntry {
  readonly parent: PiEntry | undefined
  /** Position of its message; for a compaction that of the summary. */
  readonly position: number | undefined
  readonly compaction?: { readonly firstKept: PiEntry | undefined }
}

/**
 * Positions of the messages in the context at this entry, ascending: all messages on its branch, or since the last
 * compaction its summary, the messages it kept, and the messages after it.
 */
function viewAt(leaf: PiEntry | undefined): readonly number[] {
  const view: number[] = []
  let entry = leaf
  while (entry !== undefined) {
    if (entry.position !== undefined) view.push(entry.position)
    if (entry.compaction !== undefined) {
      view.push(...keptBy(entry.parent, entry.compaction.firstKept))
      break
    }
    entry = entry.parent
  }
  return view.sort((one, other) => one - other)
}

/** Positions of the messages that a compaction kept, from `firstKept` to `last`, ascending. */
function keptBy(last: PiEntry | undefined, firstKept: PiEntry | undefined): readonly number[] {
  const kept: number[] = []
  for (let entry = last; entry !== undefined; entry = entry.parent) {
    // Pi does not send summaries of earlier compactions again.
    if (entry.position !== undefined && entry.compaction === undefined) kept.push(entry.position)
    if (entry === firstKept) return kept.reverse()
  }
  return []
}
