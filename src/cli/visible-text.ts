import { randomBytes } from 'node:crypto'
import pc from 'picocolors'

/** Characters that could control a terminal: C0 and C1 controls except tab and line feed, and text direction marks. */
const controls = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * Makes foreign text safe for a terminal. Control characters become JSON escapes such as `\u001b`, so JSON keeps its value.
 */
export function visible(text: string): string {
  if (text.search(controls) === -1) return text
  return text.replace(/\r(?=\n|$)/g, '').replace(controls, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return `\\u${code.padStart(4, '0')}`
  })
}

/** Replaces ESC in our own codes until they are written. It is random, so that no recording can contain it. */
const ownEscape = `<${randomBytes(12).toString('base64url')}>`

/** `visible`, with our own colour codes kept. */
export function visibleWithCodes(text: string): string {
  return visible(text).replaceAll(ownEscape, '\u001b')
}

export type Colors = ReturnType<typeof pc.createColors>

/** Colours that `visibleWithCodes` keeps. Codes inside the coloured text are made visible. */
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
