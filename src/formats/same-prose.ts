import { proseOutsideCodeBlocks } from '../core/render/index.ts'
import { arrayOf, isJsonObject } from '../core/words/json.ts'

/**
 * Whether the user's text is unchanged. The content of fenced code blocks may be shortened, which is an opt-in setting.
 */
export function sameProse(before: unknown, after: unknown): boolean {
  if (before === after) return true
  if (typeof before !== 'string' || typeof after !== 'string') return false
  if (after.length > before.length) return false
  return proseOutsideCodeBlocks(before) === proseOutsideCodeBlocks(after)
}

/** Whether OpenAI content keeps its texts in order. Texts that replace attachments may come between them. */
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
