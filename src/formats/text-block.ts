import { isJsonObject } from '../core/words/json.ts'

/** The text of a block of the shape `{"type":"text","text":…}`; null for any other. */
export function textOfBlock(block: unknown): string | null {
  return isJsonObject(block) && block.type === 'text' && typeof block.text === 'string'
    ? block.text
    : null
}
