import type { ItemDraft } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../../core/words/json.ts'
import { Conversation, type ResultPlace } from '../conversation.ts'
import { identityOf, inputText, textOf, timeOf } from '../json-fields.ts'
import type { Recording, RecordingProblem } from '../recording.ts'
import { attachmentItems } from './attachments.ts'
import { contentItems, plainBlock, resultBlock } from './blocks.ts'
import { PromptQueue } from './prompt-queue.ts'
import { usageOf } from './usage.ts'

const synthetic = '<synthetic>'

/** One conversation of Claude Code, in file order. The chain of parents is not used. */
export class ClaudeCodeSession {
  readonly #parent: string | null
  readonly #problem: (problem: RecordingProblem) => void
  readonly #conversation = new Conversation()
  readonly #queue = new PromptQueue()
  readonly #lines = new Set<string>()
  readonly #positions = new Map<string, number>()
  readonly #answers = new Map<string, number>()
  readonly #results = new Map<string, ResultPlace>()
  #session: string | null
  #cwd: string | null = null
  #messages = 0
  #sinceCompaction = 0
  #boundary = false

  constructor(
    session: string | null,
    parent: string | null,
    problem: (problem: RecordingProblem) => void,
  ) {
    this.#session = session
    this.#parent = parent
    this.#problem = problem
  }

  get hasMessages(): boolean {
    return this.#messages > 0
  }

  add(line: JsonObject, number: number): void {
    const uuid = textOf(line.uuid)
    if (uuid !== undefined) {
      // Claude Code may repeat a line after an interruption.
      if (this.#lines.has(uuid)) return
      this.#lines.add(uuid)
    }
    this.#session ??= textOf(line.sessionId) ?? textOf(line.session_id) ?? null
    this.#cwd ??= textOf(line.cwd) ?? null
    const at = timeOf(line.timestamp)
    switch (line.type) {
      case 'user':
        this.#addUser(line, number, at)
        break
      case 'assistant':
        this.#addAssistant(line, at)
        break
      case 'system':
        this.#addSystem(line, at)
        break
      case 'attachment':
        this.#addAttachment(objectOf(line.attachment), at)
        break
      case 'queue-operation': {
        const text = this.#queue.take(line)
        if (text) this.#conversation.message({ role: 'user', items: [{ kind: 'text', text }], at })
        break
      }
      case 'content-replacement':
        for (const replacement of arrayOf(line.replacements)) this.#replace(objectOf(replacement))
        break
    }
    if (uuid !== undefined && this.#conversation.length > 0)
      this.#positions.set(uuid, this.#conversation.length - 1)
  }

  end(subagentRecords: number): Recording {
    const { events, model } = this.#conversation.end()
    return {
      format: 'claude-code',
      session: this.#session,
      parent: this.#parent,
      model,
      cwd: this.#cwd,
      events,
      messages: this.#messages,
      subagentRecords,
    }
  }

  #addUser(line: JsonObject, number: number, at: number | undefined): void {
    this.#messages += 1
    if (line.isCompactSummary === true && !this.#boundary && this.#conversation.length > 0)
      this.#compact(line, at)
    this.#boundary = false
    const position = this.#conversation.length
    const items: ItemDraft[] = []
    const content = contentItems(objectOf(line.message).content, (block) =>
      this.#resultItems(block, number),
    )
    for (const item of content) {
      if (item.kind === 'result') {
        this.#results.set(item.call, { message: position, item: items.length })
      }
      items.push(item)
    }
    if (items.length === 0) return
    const fromTools = items.every((item) => 'call' in item)
    this.#conversation.message({ role: fromTools ? 'tool' : 'user', items, at })
  }

  #resultItems(block: JsonObject, number: number): readonly ItemDraft[] {
    const recorded = textOf(block.tool_use_id) ?? ''
    const settled = this.#conversation.settle(recorded, number, this.#problem)
    if (settled === null) return []
    const status = block.is_error === true ? 'error' : 'ok'
    return resultBlock(block.content, { call: settled.call, tool: settled.tool, status })
  }

  #addAssistant(line: JsonObject, at: number | undefined): void {
    const message = objectOf(line.message)
    const id = textOf(message.id)
    const key = [id, textOf(line.requestId), textOf(line.uuid)].map(identityOf).find((key) => key)
    const known = key === undefined ? undefined : this.#answers.get(key)
    if (known === undefined) this.#messages += 1
    // Messages about a failed request are shown to the user and not sent to the model.
    if (line.isApiErrorMessage === true) {
      if (key !== undefined && known === undefined) this.#answers.set(key, -1)
      return
    }
    const model = textOf(message.model)
    const usage = usageOf(message.usage)
    const position =
      known !== undefined && known >= this.#sinceCompaction
        ? known
        : this.#conversation.message({
            role: 'assistant',
            items: [],
            id,
            at,
            model: model === synthetic ? undefined : model,
          })
    if (key !== undefined) this.#answers.set(key, position)
    const open = this.#conversation.at(position)!
    if (usage && model !== synthetic) open.usage = usage
    const content = message.content
    if (typeof content === 'string' && content !== '')
      open.items.push({ kind: 'text', text: content })
    for (const block of arrayOf(content)) {
      if (isJsonObject(block)) open.items.push(...this.#answerItems(block))
    }
  }

  #answerItems(block: JsonObject): readonly ItemDraft[] {
    const type = textOf(block.type) ?? ''
    if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
      const tool = textOf(block.name) ?? ''
      const call = this.#conversation.calls.issue(textOf(block.id) ?? '', tool)
      const text = inputText(block.input)
      return [{ kind: 'call', tool, call, text, ...(type === 'tool_use' ? {} : { opaque: true }) }]
    }
    if (type.endsWith('_tool_result')) {
      const { call, tool } = this.#conversation.calls.settle(textOf(block.tool_use_id) ?? '')
      const failed = (textOf(objectOf(block.content).type) ?? '').endsWith('_error')
      const text = inputText(block.content)
      return [{ kind: 'result', tool, call, text, status: failed ? 'error' : 'ok', opaque: true }]
    }
    return plainBlock(block)
  }

  #addSystem(line: JsonObject, at: number | undefined): void {
    if (line.subtype === 'compact_boundary') {
      this.#compact(line, at)
      this.#boundary = true
    } else if (line.subtype === 'microcompact_boundary') {
      const ids = arrayOf(objectOf(line.microcompactMetadata).compactedToolIds)
      const places = ids.map((id) => (typeof id === 'string' ? this.#results.get(id) : undefined))
      const results = places.filter((place) => place !== undefined)
      this.#conversation.cleared(results, at)
    } else if (line.subtype === 'local_command') {
      const text = textOf(line.content)
      if (text) this.#conversation.message({ role: 'user', items: [{ kind: 'text', text }], at })
    }
  }

  #compact(line: JsonObject, at: number | undefined): void {
    const kept = objectOf(objectOf(line.compactMetadata).preservedSegment)
    const head = this.#positions.get(textOf(kept.headUuid) ?? '')
    const tail = this.#positions.get(textOf(kept.tailUuid) ?? '')
    const keeps =
      head === undefined || tail === undefined
        ? []
        : this.#conversation.visible.filter((position) => position >= head && position <= tail)
    this.#conversation.compaction(keeps, at)
    this.#sinceCompaction = this.#conversation.length
  }

  #addAttachment(attachment: JsonObject, at: number | undefined): void {
    const items = attachmentItems(attachment)
    if (items.length === 0) return
    const prompt = attachment.type === 'queued_command' ? textOf(attachment.prompt) : undefined
    if (prompt !== undefined && !this.#queue.isNew(prompt)) return
    this.#conversation.message({ role: 'user', items, at })
  }

  /** The agent moved a long output to a file before the first request that contained it. */
  #replace(replacement: JsonObject): void {
    const place = this.#results.get(textOf(replacement.toolUseId) ?? '')
    const text = textOf(replacement.replacement)
    if (!place || text === undefined) return
    const items = this.#conversation.at(place.message)!.items
    const result = items[place.item]
    if (result?.kind === 'result') items[place.item] = { ...result, text }
  }
}
