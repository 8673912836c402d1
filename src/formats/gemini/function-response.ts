import type { ResultStatus } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Path, TextFrame, Write } from '../body/dialect.ts'
import type { EntryBuilder } from '../body/entry-builder.ts'
import { describePart } from './describe-part.ts'
import type { SpelledMember } from './spelling.ts'

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
