import { identifiersIn } from './identifier-words.ts'
import type { Rendition, TracedItem } from './session.ts'

/** The lines of a shown text, without line numbers and diff signs. */
export interface TextLines {
  readonly lines: ReadonlySet<string>
  /** For parts of lines. */
  readonly text: string
  identifiers(): ReadonlySet<string>
}

const numberInFront = /^\s*L?\d{1,7}(?:→|\t|\||[:.-] ?)/

/** How a line is compared: without its indentation. */
export function lineKey(line: string): string {
  return line.trim()
}

/** Characters other than white space. */
export function significantCharacters(line: string): number {
  return line.replaceAll(/\s/g, '').length
}

/** The lines of an item as the model sees it. For a call, the strings in its JSON input. */
export function textLines(item: TracedItem, shown: string): TextLines {
  const text = item.kind === 'call' ? spokenText(shown) : shown
  const lines = new Set<string>()
  for (const line of text.split('\n')) {
    lines.add(lineKey(line))
    const unnumbered = line.replace(numberInFront, '')
    if (unnumbered !== line) lines.add(lineKey(unnumbered))
    // Patches and diffs put a sign in front.
    if (/^[+\- ]/.test(line)) lines.add(lineKey(line.slice(1)))
  }
  let identifiers: ReadonlySet<string> | undefined
  return {
    lines,
    text,
    identifiers() {
      identifiers ??= identifiersIn(text)
      return identifiers
    },
  }
}

/** Remembers the lines of each rendition of a session. */
export function createRenditionLines(): (rendition: Rendition) => TextLines {
  const known = new Map<Rendition, TextLines>()
  return (rendition) => {
    const before = known.get(rendition)
    if (before !== undefined) return before
    const read = textLines(rendition.item, rendition.text)
    known.set(rendition, read)
    return read
  }
}

/** The strings in a call's input, as the model wrote them; the input itself where it is not JSON. */
export function spokenText(input: string): string {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value)) for (const entry of value) collect(entry)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
    else texts.push(String(value))
  }
  try {
    collect(JSON.parse(input))
  } catch {
    texts.push(input)
  }
  return texts.join('\n')
}
