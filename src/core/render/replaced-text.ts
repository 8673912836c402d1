import type { Action } from '../record/action.ts'

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
 * The input of an edit without the text that it took out: the file no longer has it, and what it put in stays. null when
 * nothing is saved. A JSON object stays one.
 */
export function withoutReplacedText(input: string, action: Action, recall: string): string | null {
  if (action.kind === 'patch') {
    const patch = parseRecord(input)
    const shorter = patch === null ? withoutRemoved(input, recall) : inPatchFields(patch, recall)
    return shorter !== null && leavesOut(shorter, input, recall) ? shorter : null
  }
  if (action.kind !== 'edit') return null
  const value = parseRecord(input)
  if (value === null) return null
  const shorter = JSON.stringify(shorten(value, recall))
  return leavesOut(shorter, input, recall) ? shorter : null
}

/** Without it, the same JSON spelled with fewer spaces would pass for less of it. */
function leavesOut(shorter: string, input: string, recall: string): boolean {
  return shorter.length < input.length && shorter.includes(recall)
}

type JsonRecord = Readonly<Record<string, unknown>>

function shorten(value: unknown, recall: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => shorten(entry, recall))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, field]): [string, unknown] => {
    const isReplaced = replacedKeys.has(key.toLowerCase().replaceAll(/[_\- ]/g, ''))
    if (!isReplaced || typeof field !== 'string' || field.length < leastReplacedChars) {
      return [key, shorten(field, recall)]
    }
    return [key, `[${countLines(field)} replaced · ${recall}]`]
  })
  return Object.fromEntries(fields)
}

function inPatchFields(record: JsonRecord, recall: string): string | null {
  const fields = Object.entries(record).map(([key, field]): [string, unknown] => {
    const isPatch = patchKeys.has(key.toLowerCase().replaceAll(/[_\- ]/g, ''))
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
    else kept.push(`-[${countLines(removed.join('\n'))} removed · ${recall}]`)
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

function countLines(text: string): string {
  const count = text.split('\n').length
  return count === 1 ? '1 line' : `${count} lines`
}

function parseRecord(text: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonRecord)
      : null
  } catch {
    return null
  }
}
