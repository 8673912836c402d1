import { isJsonObject } from '../formats/json-value.ts'

export const forgottenMark = '[forgotten]'

/** Takes every line that says some words out of a text; in JSON, every string that does. The rest stays as it is. */
export function redactText(words: readonly string[]): (text: string) => string {
  const says = (text: string): boolean => {
    const plain = text.toLowerCase()
    return words.some((word) => word !== '' && plain.includes(word))
  }
  const lines = (text: string): string => {
    if (!says(text)) return text
    const left = text
      .split('\n')
      .map((line) => (says(line) ? forgottenMark : line))
      .join('\n')
    // Words that run over a line break take the whole text with them.
    return says(left) ? forgottenMark : left
  }
  const inside = (value: unknown): unknown => {
    if (typeof value === 'string') return lines(value)
    if (Array.isArray(value)) return value.map(inside)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inside(member)]))
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
