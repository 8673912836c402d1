/** Shorter lines can be read as they are. */
const leastChars = 2000
const mostChars = 4_000_000
/** A record of up to this many characters stays on one line. */
const inlineChars = 300

/**
 * Gives each record of JSON that was printed on one long line a line of its own, so that records can be compared. The tokens
 * stay as they were printed.
 */
export function splitLongJson(line: string): readonly string[] {
  const text = line.trim()
  const isJson = /^[{[]/.test(text) && /[}\]]$/.test(text)
  if (line.length < leastChars || line.length > mostChars || !isJson) return [line]
  const ends = bracketEnds(text)
  const lines: string[] = []
  let current = ''
  let depth = 0
  const end = (): void => {
    if (current.trim() !== '') lines.push(current)
    current = ' '.repeat(Math.min(depth, 40))
  }
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string
    if (character === '{' || character === '[') {
      const last = ends.get(at)
      if (last !== undefined && last - at < inlineChars) {
        current += text.slice(at, last + 1)
        at = last + 1
        continue
      }
      current += character
      depth++
      end()
      at++
    } else if (character === '}' || character === ']') {
      depth = Math.max(0, depth - 1)
      end()
      current += character
      at++
    } else if (character === ',') {
      current += character
      end()
      at++
    } else {
      const next = character === '"' ? stringEnd(text, at) : plainEnd(text, at)
      current += text.slice(at, next)
      at = next
    }
  }
  end()
  return lines
}

/** For each opening bracket, where it is closed. */
function bracketEnds(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < text.length; ) {
    const character = text[at]
    if (character === '"') {
      at = stringEnd(text, at)
      continue
    }
    if (character === '{' || character === '[') open.push(at)
    else if (character === '}' || character === ']') {
      const start = open.pop()
      if (start !== undefined) ends.set(start, at)
    }
    at++
  }
  return ends
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return Math.min(at + 1, text.length)
}

function plainEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && !'"{}[],'.includes(text[at] as string)) at++
  return at
}
