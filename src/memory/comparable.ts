import { withoutTrailing } from '../core/words/text.ts'

/** Normalises a value, key or subject for comparison: ignores case, spacing and closing punctuation. */
export function comparable(text: string): string {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[\s_]+/g, ' ')
  return withoutTrailing(plain, '.!,;:')
}
