import { parseJson } from '../core/words/json.ts'
import { closingQuote } from './json-values.ts'

/** Recordings have no messages below this depth. */
const deepest = 64
const anyMark = /["{}[\]]/g
const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/**
 * The value of a truncated JSON document: everything up to the last complete object or array, with the open brackets
 * closed. Undefined if no object or array in it is complete.
 */
export function completeUnfinished(text: string): unknown {
  const open: string[] = []
  let end = -1
  let missing: readonly string[] = []
  let mark = nextMark(text, 0)
  while (mark !== -1) {
    const character = text[mark]!
    let after = mark + 1
    if (character === '"') {
      const quote = closingQuote(text, after)
      if (quote === -1) break
      after = quote + 1
    } else if (character in closing) open.push(closing[character]!)
    else {
      if (open.pop() !== character || open.length === 0) break
      if (open.length <= deepest) {
        end = after
        missing = [...open]
      }
    }
    mark = nextMark(text, after)
  }
  if (end === -1) return undefined
  return parseJson(text.slice(0, end) + missing.toReversed().join(''))
}

function nextMark(text: string, from: number): number {
  anyMark.lastIndex = from
  return anyMark.exec(text)?.index ?? -1
}
