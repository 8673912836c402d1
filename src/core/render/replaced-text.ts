import type { Action } from '../words/action.ts'
import { plainKey } from '../words/call-key.ts'
import type { Rendition } from '../words/decision.ts'
import { type JsonObject, parseJsonObject } from '../words/json.ts'
import { shorterInput } from './input-note.ts'
import { inputNote, removedLines } from './marks.ts'

/** Keys of a call's input for the text that an edit removes. */
const replacedKeys: ReadonlySet<string> = new Set([
  'oldstring',
  'oldstr',
  'oldtext',
  'oldcontent',
  'oldsource',
  'searchtext',
])
const patchKeys: ReadonlySet<string> = new Set(['patch', 'patchtext', 'diff', 'input', 'command'])
/** A shorter text saves too little to be removed. */
export const leastReplacedChars = 160

/**
 * An edit without the text that it removed; the new text stays. null when the result is not shorter. A JSON object loses
 * the key, so that no model copies a placeholder. In a patch, one line with a count replaces the removed lines, because
 * the patch would mean something else without any.
 */
export function withoutReplacedText(input: string, action: Action, hint: string): Rendition | null {
  if (action.kind === 'patch') {
    const patch = parseJsonObject(input)
    const text = patch === null ? withoutRemoved(input, hint) : inPatchFields(patch, hint)
    // The same JSON with less white space is shorter, but has no hint.
    const isLess = text !== null && text.length < input.length && removedLines.isIn(text, hint)
    return isLess ? { how: 'truncated', text } : null
  }
  const value = action.kind === 'edit' ? parseJsonObject(input) : null
  if (value === null) return null
  const shortened = { isLess: false }
  const shorter = JSON.stringify(withoutLongTexts(value, shortened))
  const rendition = shorterInput('truncated', shorter, inputNote.writeReplacedText(hint))
  return shortened.isLess && (rendition.text?.length ?? 0) < input.length ? rendition : null
}

function withoutLongTexts(value: unknown, shortened: { isLess: boolean }): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutLongTexts(entry, shortened))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([key, field]) => {
    const isReplaced = replacedKeys.has(plainKey(key))
    const isDropped = isReplaced && typeof field === 'string' && field.length >= leastReplacedChars
    if (isDropped) shortened.isLess = true
    return !isDropped
  })
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutLongTexts(field, shortened)]))
}

function inPatchFields(record: JsonObject, hint: string): string | null {
  const fields = Object.entries(record).map(([key, field]): [string, unknown] => {
    const isPatch = patchKeys.has(plainKey(key))
    if (!isPatch || typeof field !== 'string') return [key, field]
    return [key, withoutRemoved(field, hint) ?? field]
  })
  return JSON.stringify(Object.fromEntries(fields))
}

/** Replaces each long run of removed lines by one line with their count. */
function withoutRemoved(patch: string, hint: string): string | null {
  const kept: string[] = []
  let removed: string[] = []
  const addRemoved = (): void => {
    const size = removed.reduce((sum, line) => sum + line.length + 1, 0)
    if (size < leastReplacedChars) kept.push(...removed)
    else kept.push(removedLines.write(removed.length, hint))
    removed = []
  }
  for (const line of patch.split('\n')) {
    // `--- a/file` is a file header of a unified diff.
    if (line.startsWith('-') && !line.startsWith('--- ')) {
      removed.push(line)
      continue
    }
    if (removed.length > 0) addRemoved()
    kept.push(line)
  }
  if (removed.length > 0) addRemoved()
  const text = kept.join('\n')
  return text.length < patch.length ? text : null
}
