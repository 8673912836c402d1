import { arrayOf, type JsonObject, objectOf } from '../../core/words/json.ts'
import type { SlotEdit } from '../object/dialect.ts'

/** A copy of the part with new texts in some of its slots. */
export function writePart(part: JsonObject, edits: readonly SlotEdit[]): JsonObject {
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
