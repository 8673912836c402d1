import type { ItemDraft, ResultStatus } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { SlotEdit } from '../object/dialect.ts'
import type { EntryBuilder } from '../object/entry-builder.ts'
import { textOfBlock } from '../text-block.ts'
import { describeFile } from './file-text.ts'

/** The text that providers send when the user denied a call without a reason. */
const denied = 'Tool call execution denied.'

interface OutputText {
  readonly status: ResultStatus
  readonly text: string
}

/** Adds a tool result and then its attachments. Returns false if its shape is unknown. */
export function addToolResult(
  builder: EntryBuilder,
  part: JsonObject,
  index: number,
  owner: 'client' | 'provider',
): boolean {
  const { toolCallId: id, toolName, output } = part
  if (typeof id !== 'string' || !isJsonObject(output)) return false
  const shown = readOutput(output)
  if (shown === null) return false
  const known = builder.answered(id, typeof toolName === 'string' ? toolName : '')
  const owned = owner === 'provider' ? { opaque: true as const } : {}
  const identity = part.providerOptions
  builder.add(
    index,
    { kind: 'result', ...known, ...shown, ...owned },
    { kind: 'output' },
    { identity },
  )
  if (output.type !== 'content') return true
  for (const [position, element] of arrayOf(output.value).entries()) {
    if (textOfBlock(element) !== null) continue
    const slot = { kind: 'attached', index: position } as const
    builder.add(index, attachedItem(element, known.call, owned), slot, { identity })
  }
  return true
}

function attachedItem(
  element: unknown,
  call: string,
  owned: { readonly opaque?: true },
): ItemDraft {
  const described = isJsonObject(element) ? describeFile(element) : null
  if (described !== null) return { kind: 'attachment', ...described, call, ...owned }
  const type = isJsonObject(element) ? element.type : undefined
  const marker = typeof type === 'string' ? type : 'unknown'
  return { kind: 'marker', marker, text: JSON.stringify(element), opaque: true }
}

function readOutput(output: JsonObject): OutputText | null {
  const { type, value } = output
  switch (type) {
    case 'text':
    case 'error-text':
      if (typeof value !== 'string') return null
      return { status: type === 'text' ? 'ok' : 'error', text: value }
    case 'json':
    case 'error-json':
      return { status: type === 'json' ? 'ok' : 'error', text: JSON.stringify(value ?? null) }
    case 'execution-denied':
      return {
        status: 'error',
        text: typeof output.reason === 'string' ? output.reason : denied,
      }
    case 'content': {
      if (!Array.isArray(value)) return null
      const texts = value.map(textOfBlock).filter((text) => text !== null)
      return { status: 'ok', text: texts.join('\n') }
    }
    default:
      return null
  }
}

/** The output with new texts. A JSON output becomes a text output, because the new text may not be JSON. */
export function writeOutput(output: JsonObject, edits: readonly SlotEdit[]): JsonObject {
  const text = edits.find(({ slot }) => slot.kind === 'output')?.text
  switch (output.type) {
    case 'json':
      return { ...output, type: 'text', value: text }
    case 'error-json':
      return { ...output, type: 'error-text', value: text }
    case 'execution-denied':
      return { ...output, reason: text }
    case 'content':
      return { ...output, value: writeElements(arrayOf(output.value), edits) }
    default:
      return { ...output, value: text }
  }
}

function writeElements(
  elements: readonly unknown[],
  edits: readonly SlotEdit[],
): readonly unknown[] {
  let text: string | null = null
  const written: (readonly unknown[])[] = elements.map((element) => [element])
  for (const edit of edits) {
    if (edit.slot.kind === 'output') text = edit.text
    if (edit.slot.kind !== 'attached') continue
    written[edit.slot.index] = [asText(elements[edit.slot.index] as JsonObject, edit.text)]
  }
  if (text === null) return written.flat()
  const first = elements.findIndex((element) => textOfBlock(element) !== null)
  if (first < 0) return [{ type: 'text', text }, ...written.flat()]
  for (const [index, element] of elements.entries()) {
    if (textOfBlock(element) === null) continue
    written[index] = index === first ? [{ ...(element as JsonObject), text }] : []
  }
  return written.flat()
}

/** The text that replaces a file. Keeps the provider options, such as cache markers. */
export function asText(part: JsonObject, text: string): JsonObject {
  const { providerOptions } = part
  return providerOptions === undefined
    ? { type: 'text', text }
    : { type: 'text', text, providerOptions }
}
