import { proseOutsideCodeBlocks } from '../core/render/index.ts'
import { arrayOf, isJsonObject } from '../core/words/json.ts'

/**
 * Whether what the user wrote is still there word for word. The inside of a fenced block may have become shorter: it is
 * pasted code, and whoever asks for it may have it cut.
 */
export function sameProse(before: unknown, after: unknown): boolean {
  if (before === after) return true
  if (typeof before !== 'string' || typeof after !== 'string') return false
  if (after.length > before.length) return false
  return proseOutsideCodeBlocks(before) === proseOutsideCodeBlocks(after)
}

/** Whether a content of OpenAI's keeps its texts, in their order; what stands in for an attachment may come between. */
export function keepsTexts(before: unknown, after: unknown): boolean {
  const [texts, now] = [textsOf(before), textsOf(after)]
  if (now.length < texts.length) return false
  return texts.every((text, index) => text === null || sameProse(text, now[index]))
}

function textsOf(content: unknown): readonly (string | null)[] {
  if (typeof content === 'string') return [content]
  return arrayOf(content).map((part) =>
    isJsonObject(part) && typeof part.text === 'string' ? part.text : null,
  )
}
