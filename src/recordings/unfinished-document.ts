import { parseJson } from '../core/words/json.ts'

/** Deeper than this nothing of a recording is looked for. */
const deepest = 64
const anyMark = /["{}[\]]/g
const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/**
 * The value of a JSON document that breaks off: everything up to the last object or array that is whole, with the
 * brackets closed that are open there. Undefined where nothing of it is whole.
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
      after = afterString(text, after)
      if (after === -1) break
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

function afterString(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end !== -1) {
    let escapes = end - 1
    while (escapes >= from && text[escapes] === '\\') escapes -= 1
    if ((end - escapes) % 2 === 1) return end + 1
    end = text.indexOf('"', end + 1)
  }
  return -1
}
