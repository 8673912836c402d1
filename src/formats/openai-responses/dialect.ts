import type { ReasoningDraft, Role } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import { type CallIndex, noCalls } from '../body/call-index.ts'
import type { Dialect, Entry, Malformed, Write } from '../body/dialect.ts'
import { EntryBuilder, malformed, opaqueWrite, signedWrite } from '../body/entry-builder.ts'
import type { RawNode } from '../json/raw-node.ts'
import { addClientCall, addClientOutput } from './client-calls.ts'
import { addContent } from './content.ts'

/** OpenAI's Responses API. Consecutive items of an answer form one message, and so do consecutive outputs. */
export const openaiResponsesDialect: Dialect = {
  name: 'openai-responses',
  conversation: ['input'],
  system: ['instructions'],
  tools: ['tools'],
  conversationOptional: true,
  readElement,
  readString,
}

const roles = new Map<unknown, Role>([
  ['system', 'system'],
  ['developer', 'developer'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

function readString(text: string): Entry {
  const items: Entry['items'] = text === '' ? [] : [{ kind: 'text', text }]
  const write: Write = { kind: 'string', path: [] }
  const places = items.map(() => ({ write, remove: null, element: 0 }))
  return { kind: 'entry', role: 'user', items, places, calls: noCalls, group: null }
}

function readElement(value: unknown, node: RawNode, calls: CallIndex): Entry | Malformed {
  if (!isJsonObject(value)) return malformed([], 'expected an item')
  const builder = new EntryBuilder(node, calls)
  const type = typeOf(value)
  if (type === 'message') return readMessage(builder, value)
  if (type === 'additional_tools') {
    builder.addOpaque(type, [])
    return builder.entry('developer')
  }
  if (type === 'reasoning') addReasoning(builder, value)
  else if (addClientOutput(builder, value, type)) return builder.entry('tool', 'tool')
  else if (!addClientCall(builder, value, type)) builder.addOpaque(type, [])
  return builder.entry('assistant', 'assistant')
}

/** The type is optional for a message, and for a reference, which has only an id. */
function typeOf(item: JsonObject): string {
  if (typeof item.type === 'string') return item.type
  return item.role === undefined && typeof item.id === 'string' ? 'item_reference' : 'message'
}

function readMessage(builder: EntryBuilder, message: JsonObject): Entry | Malformed {
  const role = roles.get(message.role)
  if (role === undefined) return malformed(['role'], 'unknown role')
  if (!addContent(builder, message.content, role)) {
    return malformed(['content'], 'expected a text or an array of parts')
  }
  return builder.entry(role, role === 'assistant' ? 'assistant' : null)
}

function addReasoning(builder: EntryBuilder, item: JsonObject): void {
  const summary = textsOf(item.summary)
  const content = textsOf(item.content)
  const text = [...summary, ...content].join('\n\n')
  const encrypted = typeof item.encrypted_content === 'string' ? item.encrypted_content : ''
  // Reasoning with only an id is stored by the provider and must not change.
  const owned = encrypted !== '' || typeof item.id === 'string'
  const draft: ReasoningDraft =
    text === ''
      ? { kind: 'reasoning', binding: 'opaque', text: encrypted }
      : { kind: 'reasoning', binding: owned ? 'signed' : 'plain', text }
  builder.addRemovable(draft, writeOf(draft, summary.length, content.length), [])
}

function writeOf(draft: ReasoningDraft, summaries: number, contents: number): Write {
  if (draft.binding === 'opaque') return opaqueWrite
  if (draft.binding === 'signed') return signedWrite
  if (summaries + contents !== 1) {
    return {
      kind: 'refuse',
      reason: 'the reasoning has several parts: it stays whole or goes whole',
    }
  }
  return { kind: 'string', path: [summaries === 1 ? 'summary' : 'content', 0, 'text'] }
}

function textsOf(parts: unknown): readonly string[] {
  return arrayOf(parts).flatMap((part) =>
    isJsonObject(part) && typeof part.text === 'string' ? [part.text] : [],
  )
}
