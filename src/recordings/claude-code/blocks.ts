import type { ItemDraft, ReasoningDraft, ResultStatus } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../../core/words/json.ts'
import { attachmentItem } from '../attachment-items.ts'
import { jsonText, textOf } from '../json-fields.ts'

/** A user's content, as text or as blocks. The caller converts results, because it knows their calls. */
export function contentItems(
  content: unknown,
  resultItems: (block: JsonObject) => readonly ItemDraft[],
): readonly ItemDraft[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return arrayOf(content).flatMap((block) => {
    if (typeof block === 'string') return block === '' ? [] : [{ kind: 'text', text: block }]
    if (!isJsonObject(block)) return []
    return block.type === 'tool_result' ? resultItems(block) : plainBlock(block)
  })
}

/** Any block that is neither a call nor a result. An unknown block becomes a marker with its JSON as text. */
export function plainBlock(block: JsonObject): readonly ItemDraft[] {
  switch (block.type) {
    case 'text': {
      const text = textOf(block.text)
      return text === undefined ? [] : [{ kind: 'text', text }]
    }
    case 'thinking':
    case 'redacted_thinking':
      return [reasoningItem(block)]
    case 'image':
    case 'document':
      return [attachedItem(block)]
    default:
      return [
        {
          kind: 'marker',
          marker: textOf(block.type) ?? 'unknown',
          text: jsonText(block),
          opaque: true,
        },
      ]
  }
}

export function reasoningItem(block: JsonObject): ReasoningDraft {
  const text = block.type === 'thinking' ? textOf(block.thinking) : undefined
  if (text === undefined) return { kind: 'reasoning', text: '', binding: 'opaque' }
  return { kind: 'reasoning', text, binding: textOf(block.signature) ? 'signed' : 'plain' }
}

export interface AnsweredCall {
  readonly call: string
  readonly tool: string
  readonly status: ResultStatus
}

/** A result with its texts joined in one item, followed by an item for each image or document. */
export function resultBlock(
  content: unknown,
  { call, tool, status }: AnsweredCall,
): readonly ItemDraft[] {
  const texts: string[] = []
  const attached: ItemDraft[] = []
  if (typeof content === 'string') texts.push(content)
  for (const block of arrayOf(content)) {
    if (typeof block === 'string') texts.push(block)
    else if (!isJsonObject(block)) continue
    else if (block.type === 'text' && typeof block.text === 'string') texts.push(block.text)
    else if (block.type === 'image' || block.type === 'document')
      attached.push(attachedItem(block, call))
    else texts.push(jsonText(block))
  }
  return [{ kind: 'result', tool, call, status, text: texts.join('\n') }, ...attached]
}

function attachedItem(block: JsonObject, call?: string): ItemDraft {
  const source = objectOf(block.source)
  const data = textOf(source.data) ?? textOf(source.url) ?? textOf(source.file_id) ?? ''
  const media = textOf(source.media_type) ?? textOf(block.type) ?? 'image'
  const item = attachmentItem({ media, data, call })
  // The model reads a plain-text document as text.
  return source.type === 'text' && data !== '' ? { ...item, text: data } : item
}
