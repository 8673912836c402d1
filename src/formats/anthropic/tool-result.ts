import type { ResultStatus } from '../../core/words/item.ts'
import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import { callOfId } from '../body/call-index.ts'
import type { Path } from '../body/dialect.ts'
import { type EntryBuilder, opaqueWrite, textFrame } from '../body/entry-builder.ts'
import { isUnmarkedFailure } from '../failed-result.ts'
import { textOfBlock } from '../text-block.ts'
import { addAttachment } from './attachment.ts'

const frame = textFrame('text')

/** Adds the tool result at `index` and then its attachments. Returns false if its shape is unknown. */
export function addToolResult(builder: EntryBuilder, block: JsonObject, index: number): boolean {
  const { tool_use_id: id, content } = block
  if (typeof id !== 'string') return false
  const inside = ['content', index, 'content']
  const { call, tool } = callOfId(builder.calls, id)
  const statusOf = (text: string): ResultStatus => {
    if (typeof block.is_error === 'boolean') return block.is_error ? 'error' : 'ok'
    return isUnmarkedFailure(tool, text) ? 'error' : 'ok'
  }
  if (content === undefined || content === null || typeof content === 'string') {
    const text = content ?? ''
    builder.add(
      { kind: 'result', call, tool, status: statusOf(text), text },
      { kind: 'string', path: inside },
    )
    return true
  }
  if (!Array.isArray(content)) return false
  const blocks: readonly unknown[] = content
  const texts = blocks.flatMap((part, at) => (textOfBlock(part) === null ? [] : [at]))
  const text = texts.map((at) => textOfBlock(blocks[at])).join('\n')
  builder.add(
    { kind: 'result', call, tool, status: statusOf(text), text },
    { kind: 'texts', path: inside, texts, frame },
  )
  for (const [at, part] of blocks.entries()) {
    if (textOfBlock(part) === null) addOther(builder, part, [...inside, at], call)
  }
  return true
}

function addOther(builder: EntryBuilder, part: unknown, path: Path, call: string): void {
  const type = isJsonObject(part) && typeof part.type === 'string' ? part.type : 'unknown'
  if (isJsonObject(part) && ['image', 'document', 'search_result'].includes(type)) {
    if (addAttachment(builder, part, path, { frame, call })) return
    const text = builder.rawTextAt(path)
    builder.add({ kind: 'attachment', media: type, text, call, opaque: true }, opaqueWrite)
    return
  }
  builder.addOpaque(type, path)
}
