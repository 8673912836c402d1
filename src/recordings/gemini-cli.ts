import { arrayOf, isJsonObject, type JsonObject } from '../core/words/json.ts'
import { Conversation, type ResultPlace } from './conversation.ts'
import { readAnswer, readContent, readTokens, repeatsResults } from './gemini-message.ts'
import { identityOf, jsonText, numbersFrom, textOf, timeOf } from './json-fields.ts'
import { ObjectBuilder } from './object-builder.ts'
import type { Recording, RecordingReader } from './recording.ts'

const messageTypes: ReadonlySet<unknown> = new Set(['user', 'gemini', 'info', 'warning', 'error'])

/** Gemini CLI's chat record: one object with all messages, or in newer versions JSON Lines with updates and rewinds. */
export const geminiCliReader: RecordingReader = {
  format: 'gemini-cli',

  recognises(value) {
    if (!isJsonObject(value)) return false
    if (isMessage(value)) return value.type === 'gemini' && 'content' in value
    if (textOf(value.sessionId) === undefined) return false
    return textOf(value.projectHash) !== undefined || arrayOf(value.messages).some(isMessage)
  },

  open: (problem) => new GeminiBuilder(problem),
}

type GeminiMessage = JsonObject & { readonly id: string }

function isMessage(value: unknown): value is GeminiMessage {
  return isJsonObject(value) && messageTypes.has(value.type) && textOf(value.id) !== undefined
}

/** A change to the list of messages. A message that is recorded again replaces its older state. */
type Change =
  | { readonly kind: 'message'; readonly key: string }
  | { readonly kind: 'rewind'; readonly id: string }
  | { readonly kind: 'replace'; readonly messages: readonly JsonObject[] }

class GeminiBuilder extends ObjectBuilder {
  readonly #changes: Change[] = []
  readonly #messages = new Map<string, JsonObject>()
  #session: string | undefined
  #directory: string | undefined

  protected addObject(value: JsonObject, line: number): void {
    if (typeof value.$rewindTo === 'string') {
      this.#changes.push({ kind: 'rewind', id: value.$rewindTo })
    } else if (isJsonObject(value.$set)) {
      this.#takeMetadata(value.$set)
      const messages = arrayOf(value.$set.messages).filter(isMessage)
      if (messages.length > 0) this.#changes.push({ kind: 'replace', messages })
    } else if (isMessage(value)) {
      this.#addMessage(value)
    } else if (typeof value.sessionId === 'string') {
      this.#takeMetadata(value)
      for (const [index, message] of arrayOf(value.messages).entries()) {
        if (isJsonObject(message)) this.#addMessage(message)
        else this.problem({ line, message: `message ${index} is not an object` })
      }
    } else {
      this.problem({ line, message: 'not a Gemini CLI record' })
    }
  }

  end(): readonly Recording[] {
    if (this.#changes.length === 0 && this.#session === undefined) return []
    const replayed = new ChangeReplay(this.#messages)
    for (const change of this.#changes) replayed.apply(change)
    const { events, model } = replayed.conversation.end()
    return [
      {
        format: 'gemini-cli',
        session: this.#session ?? null,
        parent: null,
        model,
        cwd: this.#directory ?? null,
        events,
        messages: replayed.messages,
        subagentRecords: 0,
      },
    ]
  }

  #takeMetadata(metadata: JsonObject): void {
    this.#session = identityOf(metadata.sessionId) ?? this.#session
    this.#directory ??= arrayOf(metadata.directories).map(textOf)[0]
  }

  #addMessage(message: JsonObject): void {
    const key = identityOf(message.id) ?? `REDACTED ${this.#changes.length}`
    if (!this.#messages.has(key)) this.#changes.push({ kind: 'message', key })
    this.#messages.set(key, message)
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

class ChangeReplay {
  readonly conversation: Conversation = new Conversation()
  readonly #messages: ReadonlyMap<string, JsonObject>
  readonly #spans = new Map<string, Span>()
  messages = 0

  constructor(messages: ReadonlyMap<string, JsonObject>) {
    this.#messages = messages
  }

  apply(change: Change): void {
    switch (change.kind) {
      case 'message':
        this.#say(change.key, this.#messages.get(change.key)!)
        break
      case 'rewind': {
        const start = this.#spans.get(change.id)?.start ?? 0
        const keeps = this.conversation.visible.filter((position) => position < start)
        this.conversation.rewind(keeps, undefined)
        break
      }
      case 'replace':
        this.#replace(change.messages)
    }
  }

  #say(key: string, message: JsonObject): void {
    this.messages += 1
    const start = this.conversation.length
    const at = timeOf(message.timestamp)
    const id = identityOf(message.id)
    if (message.type === 'user' && !repeatsResults(message.content)) {
      this.conversation.message({ role: 'user', items: readContent(message.content), id, at })
    } else if (message.type === 'gemini') {
      const { items, results, resultsAt } = readAnswer(message, this.conversation.calls)
      const model = textOf(message.model)
      const usage = readTokens(message.tokens)
      this.conversation.message({ role: 'assistant', items, id, at, model, usage })
      if (results.length > 0) {
        this.conversation.message({ role: 'tool', items: results, at: resultsAt })
      }
    }
    this.#spans.set(key, { start, end: this.conversation.length })
  }

  /** Gemini CLI records its whole list again after it compressed the history or masked results. */
  #replace(messages: readonly JsonObject[]): void {
    const keeps = new Set<number>()
    const added: JsonObject[] = []
    for (const message of messages) {
      const span = this.#spans.get(textOf(message.id) ?? '')
      if (span === undefined) added.push(message)
      else for (const position of numbersFrom(span.start, span.end)) keeps.add(position)
    }
    const visible = this.conversation.visible
    if (visible.every((position) => keeps.has(position))) this.#clear(messages)
    else
      this.conversation.compaction(
        visible.filter((position) => keeps.has(position)),
        undefined,
      )
    for (const message of added) {
      if (message.type === 'user' && repeatsResults(message.content)) continue
      this.#say(textOf(message.id) ?? '', message)
    }
  }

  #clear(messages: readonly JsonObject[]): void {
    const cleared: ResultPlace[] = []
    for (const message of messages) {
      const key = textOf(message.id) ?? ''
      const span = this.#spans.get(key)
      const before = arrayOf(this.#messages.get(key)?.toolCalls)
      if (span === undefined || span.end - span.start < 2) continue
      const results = this.conversation.at(span.start + 1)?.items ?? []
      const places = results.flatMap((item, index) => (item.kind === 'result' ? [index] : []))
      for (const [index, toolCall] of arrayOf(message.toolCalls).entries()) {
        const place = places[index]
        if (place !== undefined && resultOf(toolCall) !== resultOf(before[index])) {
          cleared.push({ message: span.start + 1, item: place })
        }
      }
    }
    this.conversation.cleared(cleared, undefined)
  }
}

function resultOf(toolCall: unknown): string {
  return isJsonObject(toolCall) ? jsonText(toolCall.result ?? null) : 'null'
}
