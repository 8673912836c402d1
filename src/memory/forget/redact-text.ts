import { isJsonObject } from '../../core/words/json.ts'
import { type FindWords, findWords, type Span } from './forgotten-words.ts'

export const forgottenMark = '[forgotten]'

/** Takes every line that says some words out of a text; in JSON, those of every string. The rest stays as it is. */
export function redactText(words: readonly string[]): (text: string) => string {
  return redactFound(findWords(words))
}

/** The same for whatever finds what has to go. */
export function redactFound(find: FindWords): (text: string) => string {
  const lines = (text: string): string => withoutLines(text, find(text))
  const inside = (value: unknown): unknown => {
    if (typeof value === 'string') return lines(value)
    if (Array.isArray(value)) return value.map(inside)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [lines(key), inside(member)]),
    )
  }
  return (text) => {
    if (!/^\s*[[{]/.test(text)) return lines(text)
    // Words with a quote or a line break in them are spelled differently inside JSON.
    try {
      const parsed: unknown = JSON.parse(text)
      const next = JSON.stringify(inside(parsed))
      return next === JSON.stringify(parsed) ? text : next
    } catch {
      return lines(text)
    }
  }
}

/** Words may run over a line break: every line that has a part of them goes. */
function withoutLines(text: string, found: readonly Span[]): string {
  if (found.length === 0) return text
  let end = -1
  return text
    .split('\n')
    .map((line) => {
      const start = end + 1
      end = start + line.length
      return found.some(([from, to]) => from <= end && to > start) ? forgottenMark : line
    })
    .join('\n')
}
