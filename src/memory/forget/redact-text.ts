import { isJsonObject } from '../../core/words/json.ts'
import { type FindWords, findWords, type Span } from './forgotten-words.ts'

const forgottenMark = '[forgotten]'

/** Redacts every line of a text that contains the words; in JSON, every such line of every string. */
export function redactText(words: readonly string[]): (text: string) => string {
  return redactFound(findWords(words))
}

/** Redacts every line of a text in which `find` finds something; in JSON, every such line of every string. */
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
    // JSON escapes quotes and line breaks, so the words look different there.
    try {
      const parsed: unknown = JSON.parse(text)
      const next = JSON.stringify(inside(parsed))
      return next === JSON.stringify(parsed) ? text : next
    } catch {
      return lines(text)
    }
  }
}

/** Words may cross a line break: every line with a part of them is redacted. */
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
