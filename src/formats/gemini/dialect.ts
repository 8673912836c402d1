import type { ReasoningDraft, ResultStatus, Role } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import { type AttachmentText, describeData, describeUrl } from '../body/attachment-text.ts'
import { addOrderedCall, type CallIndex, startTurn } from '../body/call-index.ts'
import type { Dialect, Entry, Malformed, Path, TextFrame, Write } from '../body/dialect.ts'
import { EntryBuilder, malformed, opaqueWrite, signedWrite } from '../body/entry-builder.ts'
import type { RawNode } from '../json/raw-node.ts'
import { memberOf, type SpelledMember, stringOf } from './spelling.ts'

/** Gemini's `generateContent`, in either spelling of its keys. */
export const geminiDialect: Dialect = {
  name: 'gemini',
  conversation: ['contents'],
  system: ['systemInstruction', 'system_instruction'],
  tools: ['tools'],
  conversationOptional: false,
  readElement,
  readString: null,
}

const roles = new Map<unknown, Role>([
  [undefined, 'user'],
  [null, 'user'],
  ['', 'user'],
  ['user', 'user'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ['tool', 'tool'],
  ['system', 'system'],
])

const frame: TextFrame = { before: '{"text":', after: '}' }

const signedPart: Write = {
  kind: 'refuse',
  reason: 'the part carries a thought signature: it stays as it is',
}

function readElement(value: unknown, node: RawNode, calls: CallIndex): Entry | Malformed {
  if (!isJsonObject(value)) return malformed([], 'expected a content')
  const role = roles.get(value.role)
  if (role === undefined) return malformed(['role'], 'unknown role')
  const { parts } = value
  if (parts !== undefined && parts !== null && !Array.isArray(parts)) {
    return malformed(['parts'], 'expected an array of parts')
  }
  const builder = new EntryBuilder(node, role === 'assistant' ? startTurn(calls) : calls)
  for (const [index, part] of (parts ?? []).entries()) addPart(builder, part, ['parts', index])
  return builder.entry(role)
}

function addPart(builder: EntryBuilder, part: unknown, path: Path): void {
  if (isJsonObject(part) && addKnownPart(builder, part, path)) return
  const [key] = isJsonObject(part) ? Object.keys(part) : []
  builder.addOpaque(key ?? 'unknown', path)
}

/** Returns false if the part's kind or shape is unknown. */
function addKnownPart(builder: EntryBuilder, part: JsonObject, path: Path): boolean {
  const signature = stringOf(part, 'thoughtSignature', 'thought_signature')
  if (addText(builder, part, path, signature)) return true
  if (addFunctionCall(builder, part, path, signature)) return true
  const response = memberOf(part, 'functionResponse', 'function_response')
  if (response !== null && addFunctionResponse(builder, response, path)) return true
  return addData(builder, part, path, signature)
}

function addText(builder: EntryBuilder, part: JsonObject, path: Path, signature: string): boolean {
  const { text } = part
  if (typeof text !== 'string') return false
  if (part.thought === true) {
    const binding = signature === '' ? 'plain' : 'signed'
    const write: Write =
      signature === '' ? { kind: 'string', path: [...path, 'text'] } : signedWrite
    builder.addRemovable({ kind: 'reasoning', binding, text }, write, path)
  } else if (signature === '') builder.addText(text, [...path, 'text'])
  else if (text === '') {
    // The last part of an answer may contain only the signature of earlier thoughts.
    const draft: ReasoningDraft = { kind: 'reasoning', binding: 'opaque', text: signature }
    builder.addRemovable(draft, opaqueWrite, path)
  } else builder.add({ kind: 'text', text }, signedPart)
  return true
}

function addFunctionCall(
  builder: EntryBuilder,
  part: JsonObject,
  path: Path,
  signature: string,
): boolean {
  const called = memberOf(part, 'functionCall', 'function_call')
  if (called === null || typeof called.value.name !== 'string') return false
  const { id, name } = called.value
  const wireId = typeof id === 'string' && id !== '' ? id : null
  const { calls, known } = addOrderedCall(builder.calls, name, wireId)
  builder.calls = calls
  const input = [...path, called.key, 'args']
  const text = builder.node.at(input)?.rawText ?? '{}'
  const write: Write = signature === '' ? { kind: 'json', path: input } : signedPart
  builder.add({ kind: 'call', ...known, text }, write)
  return true
}

function addData(builder: EntryBuilder, part: JsonObject, path: Path, signature: string): boolean {
  const described = describePart(part)
  if (described === null) return false
  const write: Write = signature === '' ? { kind: 'block', path, frame } : signedPart
  builder.add({ kind: 'attachment', ...described }, write)
  return true
}

const outputFrame: TextFrame = { before: '{"output":', after: '}' }
const errorFrame: TextFrame = { before: '{"error":', after: '}' }

const noTextHere: Write = {
  kind: 'refuse',
  reason: 'a function response takes no text part in the place of an attachment',
}

/** Adds a function response and then its parts. Returns false if its shape is unknown. */
function addFunctionResponse(
  builder: EntryBuilder,
  { key, value }: SpelledMember,
  path: Path,
): boolean {
  const { id, name, response } = value
  if (typeof name !== 'string') return false
  const known = builder.answeredCall(typeof id === 'string' ? id : '', name)
  const inside = [...path, key, 'response']
  const failed = isJsonObject(response) && response.error !== undefined && response.error !== null
  const running = value.willContinue === true || value.will_continue === true
  const status: ResultStatus = running ? 'running' : failed ? 'error' : 'ok'
  const only = isJsonObject(response) ? onlyString(response) : null
  if (only !== null) {
    builder.add(
      { kind: 'result', ...known, status, text: only.text },
      { kind: 'string', path: [...inside, only.key] },
    )
  } else {
    const frame = failed ? errorFrame : outputFrame
    const text = builder.rawTextAt(inside)
    builder.add({ kind: 'result', ...known, status, text }, { kind: 'block', path: inside, frame })
  }
  for (const [index, part] of arrayOf(value.parts).entries()) {
    addResponsePart(builder, part, [...path, key, 'parts', index], known.call)
  }
  return true
}

/** The text of a response with a single string, such as `{"output":"…"}`. */
function onlyString(response: JsonObject): { readonly key: string; readonly text: string } | null {
  const entries = Object.entries(response)
  const [only] = entries
  if (only === undefined || entries.length > 1) return null
  const [key, text] = only
  return typeof text === 'string' ? { key, text } : null
}

function addResponsePart(builder: EntryBuilder, part: unknown, path: Path, call: string): void {
  const described = isJsonObject(part) ? describePart(part) : null
  if (described === null) builder.addOpaque('part', path)
  else builder.add({ kind: 'attachment', ...described, call }, noTextHere)
}

/** Describes the inline data or the file of a part; null if it has neither. */
function describePart(part: JsonObject): AttachmentText | null {
  const inline = memberOf(part, 'inlineData', 'inline_data')
  if (inline !== null && typeof inline.value.data === 'string')
    return describeData(mediaOf(inline), inline.value.data)
  const file = memberOf(part, 'fileData', 'file_data')
  const url = file === null ? '' : stringOf(file.value, 'fileUri', 'file_uri')
  return file === null || url === '' ? null : describeUrl(mediaOf(file), url)
}

function mediaOf({ key, value }: SpelledMember): string {
  return stringOf(value, 'mimeType', 'mime_type') || key
}
