import { proseOutsideCodeBlocks } from '../core/render/index.ts'

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
