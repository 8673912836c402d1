import { randomBytes } from 'node:crypto'
import pc from 'picocolors'

/** What could steer a terminal: C0 and C1 controls but tab and line feed, and marks that change the direction of text. */
const controls = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * Foreign text as a terminal may show it. Controls become `\u001b`, which is the same character in a JSON string, so that JSON
 * stays the value that it was.
 */
export function visible(text: string): string {
  if (text.search(controls) === -1) return text
  return text.replace(/\r(?=\n|$)/g, '').replace(controls, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return `\\u${code.padStart(4, '0')}`
  })
}

/** Stands for ESC in codes of ours until they are written. It is made anew for each process: no recording can have it. */
const ownEscape = `<${randomBytes(12).toString('base64url')}>`

/** Foreign text and codes of ours, as they are written. */
export function visibleWithCodes(text: string): string {
  return visible(text).replaceAll(ownEscape, '\u001b')
}

export type Colors = ReturnType<typeof pc.createColors>

/** Colours that survive `visibleWithCodes`; codes in what is coloured do not. */
export function ownColors(isColored: boolean): Colors {
  const colors = pc.createColors(isColored)
  if (!isColored) return colors
  const own = Object.entries(colors).map(([name, paint]) => [
    name,
    typeof paint === 'function'
      ? (text: string | number | null | undefined) =>
          paint(visible(String(text))).replaceAll('\u001b', ownEscape)
      : paint,
  ])
  return Object.fromEntries(own) as Colors
}
