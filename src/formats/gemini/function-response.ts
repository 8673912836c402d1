import type { ResultStatus } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import { describeData, describeUrl } from '../body/attachment-text.ts'
import { answerById, answerInOrder, callOfId, type KnownCall } from '../body/call-index.ts'
import type { Path, TextFrame, Write } from '../body/dialect.ts'
import type { EntryBuilder } from '../body/entry-builder.ts'
import { memberOf, type SpelledMember, stringOf } from './spelling.ts'

const outputFrame: TextFrame = { before: '{"output":', after: '}' }
const errorFrame: TextFrame = { before: '{"error":', after: '}' }

const noTextHere: Write = {
  kind: 'refuse',
  reason: 'a function response takes no text part in the place of an attachment',
}

/** Adds a function response and then its parts. Returns false if its shape is unknown. */
export function addFunctionResponse(
  builder: EntryBuilder,
  { key, value }: SpelledMember,
  path: Path,
): boolean {
  const { id, name, response } = value
  if (typeof name !== 'string') return false
  const known = answered(builder, typeof id === 'string' ? id : '', name)
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

function answered(builder: EntryBuilder, id: string, name: string): KnownCall {
  if (id === '') {
    const { calls, known } = answerInOrder(builder.calls, name)
    builder.calls = calls
    return known
  }
  const known = callOfId(builder.calls, id)
  builder.calls = answerById(builder.calls, known)
  return known.tool === '' ? { ...known, tool: name } : known
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
  const inline = isJsonObject(part) ? memberOf(part, 'inlineData', 'inline_data') : null
  if (inline !== null && typeof inline.value.data === 'string') {
    const media = stringOf(inline.value, 'mimeType', 'mime_type')
    const described = describeData(media === '' ? inline.key : media, inline.value.data)
    builder.add({ kind: 'attachment', ...described, call }, noTextHere)
    return
  }
  const file = isJsonObject(part) ? memberOf(part, 'fileData', 'file_data') : null
  const url = file === null ? '' : stringOf(file.value, 'fileUri', 'file_uri')
  if (file === null || url === '') {
    builder.addOpaque('part', path)
    return
  }
  const media = stringOf(file.value, 'mimeType', 'mime_type')
  const described = describeUrl(media === '' ? file.key : media, url)
  builder.add({ kind: 'attachment', ...described, call }, noTextHere)
}
