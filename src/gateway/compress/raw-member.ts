import { parseJson } from '../../core/words/json.ts'
import { skipSpace, skipString } from '../../formats/json/scan.ts'

/**
 * A top-level member of a JSON object as it is written, of any depth; the last one, which is the one that `JSON.parse` uses.
 * `JSON.stringify` would write numbers in another way, and fails on deep values.
 */
export function rawMember(json: string, key: string): string | null {
  let found: string | null = null
  let depth = 0
  let name: unknown = null
  let start = -1
  for (let at = skipSpace(json, 0); at < json.length; at++) {
    const character = json[at]
    if (character === '"') {
      const end = skipString(json, at)
      if (end < 0) return null
      if (depth === 1 && start < 0) name = parseJson(json.slice(at, end))
      at = end - 1
    } else if (character === '{' || character === '[') depth++
    else if (depth === 1 && character === ':') start = at + 1
    else if (depth === 1 && (character === ',' || character === '}')) {
      if (start >= 0 && name === key) found = json.slice(start, at).trim()
      start = -1
    }
    if (character === '}' || character === ']') depth--
  }
  return found
}
