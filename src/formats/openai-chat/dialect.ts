import type { Role } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import { addOrderedCall, type CallIndex, type KnownCall, startTurn } from '../body/call-index.ts'
import type { Dialect, Entry, Malformed, Path, Write } from '../body/dialect.ts'
import { EntryBuilder, malformed, opaqueWrite } from '../body/entry-builder.ts'
import type { RawNode } from '../json/raw-node.ts'
import { addContent, addResultContent } from './content.ts'

/** OpenAI's Chat Completions API, with the additions of DeepSeek, Kimi and others. */
export const openaiChatDialect: Dialect = {
  name: 'openai-chat',
  conversation: ['messages'],
  system: [],
  tools: ['tools', 'functions'],
  conversationOptional: false,
  readElement,
  readString: null,
}

const roles = new Map<unknown, Role>([
  ['system', 'system'],
  ['developer', 'developer'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
])

function readElement(value: unknown, node: RawNode, calls: CallIndex): Entry | Malformed {
  if (!isJsonObject(value)) return malformed([], 'expected a message')
  const role = roles.get(value.role)
  if (role === undefined) return malformed(['role'], 'unknown role')
  const builder = new EntryBuilder(node, role === 'assistant' ? startTurn(calls) : calls)
  if (role === 'tool') {
    const known = answeredCall(builder, value)
    if (!addResultContent(builder, value.content, known)) return unknownContent()
    return builder.entry(role)
  }
  if (role === 'assistant') addReasoning(builder, value)
  if (!addContent(builder, value.content)) return unknownContent()
  if (role === 'assistant') addAnswer(builder, value)
  return builder.entry(role)
}

function unknownContent(): Malformed {
  return malformed(['content'], 'expected a text, an array of parts or null')
}

function addReasoning(builder: EntryBuilder, message: JsonObject): void {
  for (const key of ['reasoning_content', 'reasoning']) {
    const text = message[key]
    if (typeof text !== 'string' || text === '') continue
    builder.addRemovable(
      { kind: 'reasoning', binding: 'plain', text },
      { kind: 'string', path: [key] },
      [key],
    )
  }
  // OpenRouter passes signed or encrypted reasoning of the underlying provider.
  if (arrayOf(message.reasoning_details).length > 0) {
    const text = builder.rawTextAt(['reasoning_details'])
    builder.add({ kind: 'reasoning', binding: 'opaque', text, opaque: true }, opaqueWrite)
  }
}

function addAnswer(builder: EntryBuilder, message: JsonObject): void {
  if (typeof message.refusal === 'string') builder.addText(message.refusal, ['refusal'])
  if (isJsonObject(message.audio)) {
    const text = builder.rawTextAt(['audio'])
    builder.add({ kind: 'attachment', media: 'audio', text, opaque: true }, opaqueWrite)
  }
  for (const [index, call] of arrayOf(message.tool_calls).entries()) {
    addToolCall(builder, call, ['tool_calls', index])
  }
  if (isJsonObject(message.function_call)) {
    addFunction(builder, message.function_call, ['function_call'], null)
  }
}

function addToolCall(builder: EntryBuilder, call: unknown, path: Path): void {
  if (isJsonObject(call)) {
    const id = typeof call.id === 'string' && call.id !== '' ? call.id : null
    if (isJsonObject(call.function)) {
      if (addFunction(builder, call.function, [...path, 'function'], id)) return
    } else if (isJsonObject(call.custom) && typeof call.custom.name === 'string') {
      const { input, name } = call.custom
      if (typeof input === 'string') {
        const known = note(builder, name, id)
        const write: Write = { kind: 'string', path: [...path, 'custom', 'input'] }
        builder.add({ kind: 'call', ...known, text: input }, write)
        return
      }
    }
  }
  builder.addOpaque('tool_call', path)
}

function addFunction(
  builder: EntryBuilder,
  called: JsonObject,
  path: Path,
  id: string | null,
): boolean {
  if (typeof called.name !== 'string') return false
  const known = note(builder, called.name, id)
  const input = [...path, 'arguments']
  if (typeof called.arguments === 'string' || called.arguments === undefined) {
    const text = called.arguments ?? ''
    builder.add({ kind: 'call', ...known, text }, { kind: 'json-string', path: input })
  } else {
    // Some servers accept an object instead of a string.
    const text = builder.rawTextAt(input)
    builder.add({ kind: 'call', ...known, text }, { kind: 'json', path: input })
  }
  return true
}

function note(builder: EntryBuilder, tool: string, id: string | null): KnownCall {
  if (id !== null) return builder.addCall(id, tool)
  const { calls, known } = addOrderedCall(builder.calls, tool, null)
  builder.calls = calls
  return known
}

function answeredCall(builder: EntryBuilder, { name, tool_call_id: id }: JsonObject): KnownCall {
  return builder.answeredCall(
    typeof id === 'string' ? id : '',
    typeof name === 'string' ? name : '',
  )
}
