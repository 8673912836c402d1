import type { ItemDraft, Usage } from '../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../core/words/json.ts'
import { attachmentItem } from './attachment-items.ts'
import { Conversation } from './conversation.ts'
import { countOf, identityOf, inputText, textOf, timeOf } from './json-fields.ts'
import { ObjectBuilder } from './object-builder.ts'
import type { Recording, RecordingReader } from './recording.ts'

const families: ReadonlySet<string> = new Set([
  'assistant',
  'hook',
  'permission',
  'session',
  'subagent',
  'system',
  'tool',
  'user',
])

/** Events before which all results of the last answer are added. */
const followResults: ReadonlySet<string> = new Set([
  'assistant.message',
  'session.compaction_complete',
  'system.message',
  'system.notification',
  'user.message',
])

/** GitHub Copilot CLI's events: JSON Lines of `{type, data, id, parentId, timestamp}`. */
export const copilotCliReader: RecordingReader = {
  format: 'copilot-cli',
  recognises(value) {
    if (!isJsonObject(value) || !isJsonObject(value.data)) return false
    const [family, event] = (textOf(value.type) ?? '').split('.')
    return event !== undefined && families.has(family!) && textOf(value.timestamp) !== undefined
  },
  open: (problem) => new CopilotBuilder(problem),
}

class CopilotBuilder extends ObjectBuilder {
  readonly #conversation = new Conversation()
  /** The order of the calls, by recorded id. */
  readonly #requested = new Map<string, number>()
  readonly #results: {
    readonly place: number
    readonly items: ItemDraft[]
    readonly at?: number
  }[] = []
  readonly #answers = new Map<string, number>()
  #lastAnswer: number | null = null
  #session: string | null = null
  #cwd: string | null = null
  #model: string | undefined
  #messages = 0
  #subagentRecords = 0

  protected addObject(value: JsonObject, line: number): void {
    const data = objectOf(value.data)
    const at = timeOf(value.timestamp)
    if (textOf(data.parentToolCallId) || textOf(value.agentId)) {
      this.#subagentRecords += 1
      return
    }
    if (followResults.has(textOf(value.type) ?? '')) this.#addResults()
    switch (value.type) {
      case 'session.start':
      case 'session.resume':
        this.#session ??= textOf(data.sessionId) ?? null
        this.#cwd ??= textOf(objectOf(data.context).cwd) ?? null
        this.#model = textOf(data.selectedModel) ?? this.#model
        break
      case 'session.model_change':
        this.#model = textOf(data.newModel) ?? this.#model
        break
      case 'system.message':
        this.#addInput(data.role === 'developer' ? 'developer' : 'system', data, at)
        break
      case 'system.notification':
        this.#addInput('user', data, at)
        break
      case 'user.message':
        this.#messages += 1
        this.#addInput('user', data, at)
        break
      case 'assistant.message':
        this.#addAnswer(data, at)
        break
      case 'assistant.usage':
        this.#addUsage(data)
        break
      case 'tool.execution_start':
        this.#startTool(data, at)
        break
      case 'tool.execution_complete':
        this.#completeTool(data, line, at)
        break
      case 'session.compaction_complete':
        this.#compact(data, at)
        break
    }
  }

  end(): readonly Recording[] {
    this.#addResults()
    const { events, model } = this.#conversation.end()
    return [
      {
        format: 'copilot-cli',
        session: this.#session,
        parent: null,
        model: model ?? this.#model ?? null,
        cwd: this.#cwd,
        events,
        messages: this.#messages,
        subagentRecords: this.#subagentRecords,
      },
    ]
  }

  /** The model gets the transformed text, which includes what the agent added. */
  #addInput(role: 'system' | 'developer' | 'user', data: JsonObject, at: number | undefined): void {
    const text = textOf(data.transformedContent) ?? textOf(data.content)
    const items: ItemDraft[] = text === undefined ? [] : [{ kind: 'text', text }]
    for (const attachment of arrayOf(data.attachments)) {
      const bytes = isJsonObject(attachment) ? textOf(attachment.data) : undefined
      if (!isJsonObject(attachment) || bytes === undefined) continue
      const media = textOf(attachment.mimeType) ?? textOf(attachment.type) ?? 'file'
      items.push(attachmentItem({ media, data: bytes }))
    }
    if (items.length > 0) this.#conversation.message({ role, items, at })
  }

  #addAnswer(data: JsonObject, at: number | undefined): void {
    const id = textOf(data.messageId)
    const key = identityOf(id)
    const known = key === undefined ? undefined : this.#answers.get(key)
    const items: ItemDraft[] = []
    const reasoning = textOf(data.reasoningText)
    const bound = textOf(data.reasoningOpaque) ?? textOf(data.encryptedContent)
    if (reasoning !== undefined) {
      const binding = bound === undefined ? 'plain' : 'signed'
      items.push({ kind: 'reasoning', text: reasoning, binding })
    } else if (bound !== undefined) items.push({ kind: 'reasoning', text: '', binding: 'opaque' })
    const text = textOf(data.content)
    if (text !== undefined) items.push({ kind: 'text', text })
    for (const request of arrayOf(data.toolRequests)) {
      const { toolCallId, name, arguments: input } = objectOf(request)
      items.push(this.#callItem(textOf(toolCallId) ?? '', textOf(name) ?? '', input))
    }
    if (known !== undefined) {
      this.#conversation.at(known)!.items.push(...items)
      return
    }
    this.#messages += 1
    const model = textOf(data.model) ?? this.#model
    const position = this.#conversation.message({ role: 'assistant', items, id, at, model })
    this.#lastAnswer = position
    if (key !== undefined) this.#answers.set(key, position)
  }

  #callItem(recorded: string, tool: string, input: unknown): ItemDraft {
    this.#requested.set(recorded, this.#requested.size)
    const call = this.#conversation.calls.issue(recorded, tool)
    return { kind: 'call', tool, call, text: inputText(input ?? {}) }
  }

  /** A start usually repeats a call of the last answer. Otherwise the call is added to that answer. */
  #startTool(data: JsonObject, at: number | undefined): void {
    const recorded = textOf(data.toolCallId) ?? ''
    if (this.#requested.has(recorded)) return
    const item = this.#callItem(recorded, textOf(data.toolName) ?? '', data.arguments)
    if (this.#lastAnswer !== null) this.#conversation.at(this.#lastAnswer)!.items.push(item)
    else
      this.#lastAnswer = this.#conversation.message({
        role: 'assistant',
        items: [item],
        at,
        model: this.#model,
      })
  }

  #completeTool(data: JsonObject, line: number, at: number | undefined): void {
    this.#messages += 1
    const recorded = textOf(data.toolCallId) ?? ''
    const settled = this.#conversation.settle(recorded, line, this.problem)
    if (settled === null) return
    const { call, tool } = settled
    const result = objectOf(data.result)
    const text = isEmptyView(tool, result)
      ? ''
      : (textOf(result.content) ?? textOf(objectOf(data.error).message) ?? '')
    const items: ItemDraft[] = [
      { kind: 'result', tool, call, status: data.success === false ? 'error' : 'ok', text },
    ]
    for (const part of arrayOf(result.contents)) {
      const bytes = isJsonObject(part) && part.type !== 'text' ? textOf(part.data) : undefined
      if (!isJsonObject(part) || bytes === undefined) continue
      items.push(attachmentItem({ media: textOf(part.mimeType) ?? 'image', data: bytes, call }))
    }
    const place = this.#requested.get(recorded) ?? this.#requested.size
    this.#results.push({ place, items, ...(at === undefined ? {} : { at }) })
  }

  /** Calls of one answer complete in any order, but the model gets the results in the order of the calls. */
  #addResults(): void {
    const results = this.#results.splice(0).sort((a, b) => a.place - b.place)
    for (const { items, at } of results) this.#conversation.message({ role: 'tool', items, at })
  }

  #addUsage(data: JsonObject): void {
    const answer = this.#lastAnswer === null ? undefined : this.#conversation.at(this.#lastAnswer)
    if (!answer || answer.usage || typeof data.inputTokens !== 'number') return
    const cacheRead = countOf(data.cacheReadTokens)
    const cacheWrite = countOf(data.cacheWriteTokens)
    const input = Math.max(countOf(data.inputTokens), cacheRead + cacheWrite)
    const usage: Usage = { input, output: countOf(data.outputTokens), cacheRead, cacheWrite }
    answer.usage = usage
  }

  #compact(data: JsonObject, at: number | undefined): void {
    if (data.success === false) return
    const { visible } = this.#conversation
    const keeps = visible.filter((position) =>
      ['system', 'developer'].includes(this.#conversation.at(position)!.role),
    )
    this.#conversation.compaction(keeps, at)
    this.#lastAnswer = null
    const text = textOf(data.summaryContent)
    if (text) this.#conversation.message({ role: 'user', items: [{ kind: 'text', text }], at })
  }
}

/** When `view` shows only an empty line, the model gets an empty text but the event contains a diff. */
function isEmptyView(tool: string, { content, detailedContent }: JsonObject): boolean {
  if (tool !== 'view' || typeof content !== 'string' || content !== detailedContent) return false
  return /^\n?diff --git [^\n]*\n(?:[^\n]+\n){3}@@ -\d+,[01] \+\d+,[01] @@\n ?\n*$/.test(content)
}
