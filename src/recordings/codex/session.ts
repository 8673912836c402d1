import type { ItemDraft } from '../../core/words/item.ts'
import { isJsonObject, type JsonObject, objectOf } from '../../core/words/json.ts'
import { Conversation } from '../conversation.ts'
import { countOf, textOf, timeOf } from '../json-fields.ts'
import { ObjectBuilder } from '../object-builder.ts'
import type { Recording } from '../recording.ts'
import { type CodexItem, codexItem, resultItems } from './items.ts'
import { replacementOf } from './replacement.ts'

/** `counted` is false for items that a compaction added, which the agent does not count as messages. */
interface Arrival {
  readonly line: number
  readonly at: number | undefined
  readonly counted: boolean
}

/** One rollout. The conversation is read from response items; of the events only usage and rollbacks are needed. */
export class CodexBuilder extends ObjectBuilder {
  readonly #conversation = new Conversation()
  #session: string | null = null
  #parent: string | null = null
  #cwd: string | null = null
  #turnModel: string | undefined
  #messages = 0
  /** Position of the assistant message that the next item belongs to. */
  #answer: number | null = null
  #lastAnswer: number | null = null
  #totalTokens = 0

  protected addObject(value: JsonObject, line: number): void {
    const at = timeOf(value.timestamp)
    // Rollouts before 0.32 have items without an envelope.
    if (!isJsonObject(value.payload)) {
      if (textOf(value.type)) this.#takeItem(value, { line, at, counted: true })
      else this.#takeMeta(value)
      return
    }
    switch (value.type) {
      case 'session_meta':
        this.#takeMeta(value.payload)
        break
      case 'turn_context':
        this.#takeTurn(value.payload)
        break
      case 'response_item':
        this.#takeItem(value.payload, { line, at, counted: true })
        break
      case 'compacted':
        this.#compact(value.payload, line, at)
        break
      case 'event_msg':
        this.#takeEvent(value.payload, at)
        break
    }
  }

  end(): readonly Recording[] {
    const { events, model } = this.#conversation.end()
    return [
      {
        format: 'codex',
        session: this.#session,
        parent: this.#parent,
        model: model ?? this.#turnModel ?? null,
        cwd: this.#cwd,
        events,
        messages: this.#messages,
        subagentRecords: 0,
      },
    ]
  }

  /** Uses the first one only: a forked session repeats the metadata of its origin after its own. */
  #takeMeta(meta: JsonObject): void {
    if (this.#session !== null) return
    this.#session = textOf(meta.id) ?? textOf(meta.session_id) ?? null
    this.#cwd = textOf(meta.cwd) ?? null
    const spawned = objectOf(objectOf(objectOf(meta.source).subagent).thread_spawn)
    this.#parent = textOf(spawned.parent_thread_id) ?? null
  }

  #takeTurn(context: JsonObject): void {
    this.#turnModel = textOf(context.model) ?? this.#turnModel
    this.#cwd ??= textOf(context.cwd) ?? null
    this.#answer = null
  }

  #takeItem(payload: JsonObject, arrival: Arrival): void {
    const item = codexItem(payload)
    if (!item) return
    if (arrival.counted && (item.kind === 'message' || item.kind === 'result')) this.#messages += 1
    switch (item.kind) {
      case 'message':
        if (item.role === 'assistant') this.#addOutput(item.items, payload, arrival)
        else this.#addInput(item, arrival)
        break
      case 'reasoning':
        this.#addOutput([item.item], payload, arrival)
        break
      case 'call':
        this.#addOutput([this.#callItem(item)], payload, arrival)
        break
      case 'marker': {
        const marker: ItemDraft = {
          kind: 'marker',
          marker: item.marker,
          text: item.text,
          opaque: true,
        }
        this.#answer = null
        this.#conversation.message({ role: item.role, items: [marker], at: arrival.at })
        break
      }
      case 'result':
        this.#takeResult(item.recorded, item.payload, arrival)
        break
    }
  }

  #callItem(item: Extract<CodexItem, { kind: 'call' }>): ItemDraft {
    const { tool, text, recorded } = item
    const call = this.#conversation.calls.issue(recorded ?? tool, tool)
    return { kind: 'call', tool, call, text, ...(recorded === null ? { opaque: true } : {}) }
  }

  #addInput(item: Extract<CodexItem, { kind: 'message' }>, { at }: Arrival): void {
    this.#answer = null
    if (item.items.length > 0)
      this.#conversation.message({ role: item.role, items: item.items, at })
  }

  #addOutput(items: readonly ItemDraft[], payload: JsonObject, { at }: Arrival): void {
    if (items.length === 0) return
    if (this.#answer === null) {
      this.#answer = this.#conversation.message({
        role: 'assistant',
        items: [],
        id: textOf(payload.id),
        at,
        model: this.#turnModel,
      })
      this.#lastAnswer = this.#answer
    }
    this.#conversation.at(this.#answer)!.items.push(...items)
  }

  #takeResult(recorded: string, payload: JsonObject, { line, at }: Arrival): void {
    this.#answer = null
    // In code mode a program can send several results for its call (`notify`).
    const mayRepeat = textOf(payload.name) === 'exec'
    const settled = this.#conversation.settle(recorded, line, this.problem, { mayRepeat })
    if (settled === null) return
    this.#conversation.message({ role: 'tool', items: resultItems(payload, settled), at })
  }

  #compact(payload: JsonObject, line: number, at: number | undefined): void {
    this.#answer = null
    const { keeps, written } = replacementOf(payload, this.#conversation)
    this.#conversation.compaction(keeps, at)
    for (const item of written) this.#takeItem(item, { line, at, counted: false })
    this.#answer = null
  }

  #takeEvent(event: JsonObject, at: number | undefined): void {
    if (event.type === 'token_count') this.#takeTokens(objectOf(event.info))
    else if (event.type === 'thread_rolled_back') this.#rollBack(countOf(event.num_turns), at)
  }

  /** Usage follows a complete answer. An event with an unchanged total only refreshes the rate limits. */
  #takeTokens(info: JsonObject): void {
    const last = info.last_token_usage
    const total = countOf(objectOf(info.total_token_usage).total_tokens)
    if (!isJsonObject(last) || total === this.#totalTokens) return
    this.#totalTokens = total
    this.#answer = null
    const answer = this.#lastAnswer === null ? undefined : this.#conversation.at(this.#lastAnswer)
    this.#lastAnswer = null
    if (!answer) return
    answer.usage = {
      input: countOf(last.input_tokens),
      output: countOf(last.output_tokens),
      cacheRead: countOf(last.cached_input_tokens),
      cacheWrite: 0,
    }
  }

  /** Removes the last turns, each of which starts with a user message. */
  #rollBack(turns: number, at: number | undefined): void {
    if (turns === 0) return
    const { visible } = this.#conversation
    const prompts = visible.filter((position) => this.#conversation.at(position)!.role === 'user')
    const first = prompts[Math.max(0, prompts.length - turns)]
    if (first === undefined) return
    this.#answer = null
    this.#conversation.rewind(
      visible.filter((position) => position < first),
      at,
    )
  }
}
