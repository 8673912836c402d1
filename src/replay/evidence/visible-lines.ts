import type { Shown } from '../replay.ts'

/** The lines that a request shows, without line numbers and signs in front of them. */
export interface VisibleLines {
  has(line: string): boolean
  /** Also as a part of a line. */
  contains(part: string): boolean
}

interface TextLines {
  readonly lines: ReadonlySet<string>
  readonly text: string
}

const numberInFront = /^\s*L?\d{1,7}(?:→|\t|\||[:.] ?)/

export function createVisibleLines(): (shown: readonly Shown[]) => VisibleLines {
  const inInputs = new Map<string, TextLines>()
  const elsewhere = new Map<string, TextLines>()
  const linesOf = ({ item, rendition }: Shown): TextLines => {
    const text = rendition?.text ?? item.text
    const isInput = item.kind === 'call'
    const known = isInput ? inInputs : elsewhere
    const before = known.get(text)
    if (before !== undefined) return before
    const read = readLines(isInput ? spokenTexts(text) : text)
    known.set(text, read)
    return read
  }
  return (shown) => {
    const texts = shown.map(linesOf)
    return {
      has: (line) => texts.some(({ lines }) => lines.has(line.trim())),
      contains: (part) => texts.some(({ text }) => text.includes(part.trim())),
    }
  }
}

function readLines(text: string): TextLines {
  const lines = new Set<string>()
  for (const line of text.split('\n')) {
    lines.add(line.trim())
    lines.add(line.replace(numberInFront, '').trim())
    // Patches and diffs put a sign in front.
    if (/^[+\- ]/.test(line)) lines.add(line.slice(1).trim())
  }
  return { lines, text }
}

/** The strings in a call's input, as the model wrote them. */
function spokenTexts(input: string): string {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value)) for (const entry of value) collect(entry)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  try {
    collect(JSON.parse(input))
  } catch {
    texts.push(input)
  }
  return texts.join('\n')
}
