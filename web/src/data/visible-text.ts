/** Control characters except tab and line feed, and marks that are invisible or change the direction of text. */
const controls =
  /(?![\t\n])[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu

/**
 * Makes hidden characters visible: those that would move, hide or reorder other text are written as escapes such as
 * `\u202e`.
 */
export function visible(text: string): string {
  if (text.search(controls) === -1) return text
  return text.replace(/\r(?=\n|$)/g, '').replace(controls, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return `\\u${code.padStart(4, '0')}`
  })
}
