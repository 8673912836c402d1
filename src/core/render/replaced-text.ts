import type { Action } from '../words/action.ts'
import { plainKey } from '../words/call-key.ts'
import type { Rendition } from '../words/decision.ts'
import { type JsonObject, parseJsonObject } from '../words/json.ts'
import { shorterInput } from './input-note.ts'
import { inputNote, removedLines } from './marks.ts'

/** Keys of a call's input that hold the text which an edit took out of its file. */
const replacedKeys: ReadonlySet<string> = new Set([
  'oldstring',
  'oldstr',
  'oldtext',
  'oldcontent',
  'oldsource',
  'searchtext',
])
const patchKeys: ReadonlySet<string> = new Set(['patch', 'patchtext', 'diff', 'input', 'command'])
/** A shorter text is no longer than what would stand for it. */
export const leastReplacedChars = 160

/**
 * An edit without the text that it took out: the file no longer has it, and what it put in stays. null when nothing is
 * saved. A JSON object stays one; it loses the key, so that no model sees a placeholder where its own text should be. In a
 * patch one removed line counts the others: the patch would say something else without them, and a copy of that line
 * matches no file.
 */
export function withoutReplacedText(input: string, action: Action, hint: string): Rendition | null {
  if (action.kind === 'patch') {
    const patch = parseJsonObject(input)
    const text = patch === null ? withoutRemoved(input, hint) : inPatchFields(patch, hint)
    // Without a hint, the same JSON spelled with fewer spaces would pass for less of it.
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
    const goes = isReplaced && typeof field === 'string' && field.length >= leastReplacedChars
    if (goes) shortened.isLess = true
    return !goes
  })
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutLongTexts(field, shortened)]))
}

function inPatchFields(record: JsonObject, recall: string): string | null {
  const fields = Object.entries(record).map(([key, field]): [string, unknown] => {
    const isPatch = patchKeys.has(plainKey(key))
    if (!isPatch || typeof field !== 'string') return [key, field]
    return [key, withoutRemoved(field, recall) ?? field]
  })
  return JSON.stringify(Object.fromEntries(fields))
}

/** Each run of removed lines becomes one that counts them, where that is shorter. */
function withoutRemoved(patch: string, recall: string): string | null {
  const kept: string[] = []
  let removed: string[] = []
  const settle = (): void => {
    const size = removed.reduce((sum, line) => sum + line.length + 1, 0)
    if (size < leastReplacedChars) kept.push(...removed)
    else kept.push(removedLines.write(removed.length, recall))
    removed = []
  }
  for (const line of patch.split('\n')) {
    // `--- a/file` opens a file of a unified diff.
    if (line.startsWith('-') && !line.startsWith('--- ')) {
      removed.push(line)
      continue
    }
    if (removed.length > 0) settle()
    kept.push(line)
  }
  if (removed.length > 0) settle()
  const text = kept.join('\n')
  return text.length < patch.length ? text : null
}
