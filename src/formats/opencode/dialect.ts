import type { MessageDraft, Role, Usage } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../../core/words/json.ts'
import type { CallIndex } from '../body/call-index.ts'
import type { Entry, ListDialect, Malformed, SlotEdit } from '../object/dialect.ts'
import { EntryBuilder, malformed } from '../object/entry-builder.ts'
import { addAssistantPart, addUserPart } from './parts.ts'
import { pickMessage } from './pick.ts'

/** The messages that OpenCode passes to `experimental.chat.messages.transform`. */
export const opencodeDialect: ListDialect = {
  name: 'opencode',
  parts: 'parts',
  pick: pickMessage,
  interpret,
  writePart,
  model,
}

function interpret(message: unknown, calls: CallIndex): Entry | Malformed {
  if (!isJsonObject(message)) return malformed('', 'expected a message')
  if (!isJsonObject(message.info)) return malformed('.info', 'expected what is known of it')
  const { info } = message
  if (info.role !== 'user' && info.role !== 'assistant') {
    return malformed('.info.role', 'unknown role')
  }
  if (!Array.isArray(message.parts)) return malformed('.parts', 'expected a list of parts')
  const builder = new EntryBuilder(calls)
  if (info.role === 'assistant' && isLeftOut(info, message.parts)) {
    builder.addOpaque(0, 'error', '')
  } else {
    const addPart = info.role === 'user' ? addUserPart : addAssistantPart
    const { parts } = message
    for (let index = 0; index < parts.length; index++) addPart(builder, parts[index], index)
  }
  return builder.entry(factsOf(info, info.role))
}

/** OpenCode does not send failed answers, except aborted ones with content. */
function isLeftOut(info: JsonObject, parts: readonly unknown[]): boolean {
  if (info.error === undefined || info.error === null) return false
  if (info.error !== 'MessageAbortedError') return true
  return parts.every(
    (part) => isJsonObject(part) && (part.type === 'step-start' || part.type === 'reasoning'),
  )
}

function factsOf(info: JsonObject, role: Role): Omit<MessageDraft, 'items'> {
  const facts: { -readonly [Key in keyof Omit<MessageDraft, 'items'>]: MessageDraft[Key] } = {
    role,
  }
  if (typeof info.id === 'string') facts.id = info.id
  if (typeof info.created === 'number') facts.at = info.created
  if (role === 'assistant' && typeof info.modelID === 'string') facts.model = info.modelID
  const usage = usageOf(info.tokens)
  if (usage !== undefined) facts.usage = usage
  return facts
}

/** OpenCode's `input` excludes cached tokens and its `output` excludes reasoning. */
function usageOf(value: unknown): Usage | undefined {
  const tokens = objectOf(value)
  const cache = objectOf(tokens.cache)
  const cacheRead = countOf(cache.read)
  const cacheWrite = countOf(cache.write)
  const input = countOf(tokens.input) + cacheRead + cacheWrite
  const output = countOf(tokens.output) + countOf(tokens.reasoning)
  return input === 0 && output === 0 ? undefined : { input, output, cacheRead, cacheWrite }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0
}

/** The model of the user's last message. */
function model(picked: readonly unknown[]): string | null {
  const last = arrayOf(picked).findLast(
    (message) => objectOf(objectOf(message).info).role === 'user',
  )
  const named = objectOf(objectOf(last).info).modelID
  return typeof named === 'string' ? named : null
}

/** A copy of the part with new texts in some of its slots. */
function writePart(part: JsonObject, edits: readonly SlotEdit[]): JsonObject {
  const [first] = edits
  if (first === undefined) return part
  switch (first.slot.kind) {
    case 'text':
      return { ...part, text: first.text }
    case 'whole':
      return fileAsText(part, first.text)
    default:
      return { ...part, state: writeState(objectOf(part.state), edits) }
  }
}

/** The text that replaces a file, marked as synthetic. */
function fileAsText(part: JsonObject, text: string): JsonObject {
  const { mime: _mime, filename: _filename, url: _url, source: _source, ...rest } = part
  return { ...rest, type: 'text', text, synthetic: true }
}

function writeState(state: JsonObject, edits: readonly SlotEdit[]): JsonObject {
  let written = state
  const standIns = new Map<number, string>()
  for (const { slot, text } of edits) {
    if (slot.kind === 'input') {
      written = { ...written, input: slot.takes === 'json' ? JSON.parse(text) : text }
    } else if (slot.kind === 'output') written = { ...written, ...outputWith(state, text) }
    else if (slot.kind === 'attached') standIns.set(slot.index, text)
  }
  return standIns.size === 0 ? written : withoutAttachments(written, standIns)
}

function outputWith(state: JsonObject, text: string): JsonObject {
  if (state.status !== 'error') return { output: text }
  const metadata = objectOf(state.metadata)
  if (metadata.interrupted !== true || typeof metadata.output !== 'string') return { error: text }
  return { metadata: { ...metadata, output: text } }
}

/** Removes attachments. Their replacement texts are added to the output, because attachments must be files. */
function withoutAttachments(state: JsonObject, standIns: ReadonlyMap<number, string>): JsonObject {
  const inOrder = [...standIns].toSorted(([one], [other]) => one - other)
  const lines = [state.output, ...inOrder.map(([, text]) => text)]
  const attachments = arrayOf(state.attachments).filter((_file, index) => !standIns.has(index))
  return { ...state, output: lines.filter((line) => line !== '').join('\n'), attachments }
}
