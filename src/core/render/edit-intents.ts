import type { TextEdit } from '../words/action.ts'
import { parseJsonObject } from '../words/json.ts'
import type { Operation } from '../words/operation.ts'
import { cutEnd, oneLine } from './cut.ts'
import { shortPath } from './describe-operation.ts'
import { editList, type Recall, restoreHint } from './marks.ts'

const intentLimit = 120

/** Why the agent made a change, in its own words, or null when it gave none. */
export function intentOf(operation: Operation): string | null {
  const input = parseJsonObject(operation.call.text)
  for (const key of ['intent', 'description', 'explanation', 'instruction', 'instructions']) {
    const value = input?.[key]
    if (typeof value === 'string' && value.trim() !== '') return oneLine(value)
  }
  return null
}

/** A change in one line: its intent, or else what it did. */
export function summarizeEdit(operation: Operation, limit: number = intentLimit): string {
  return cutEnd(intentOf(operation) ?? whatChanged(operation), limit)
}

export interface EditRun {
  readonly path: string
  /** In the order in which they were made. */
  readonly edits: readonly Operation[]
}

/**
 * Several edits of one file as the list of what they were for, equal ones counted. With less room each is told in fewer
 * words, and then the middle of the list is only counted; null when not even that fits.
 */
export function listIntents(run: EditRun, recall: Recall, room: number): string | null {
  const turns = run.edits.map((edit) => edit.turn)
  const head = editList.head(
    shortPath(run.path),
    run.edits.length,
    Math.min(...turns),
    Math.max(...turns),
  )
  const foot = editList.foot(restoreHint(recall))
  for (const limit of [intentLimit, 60, 30]) {
    const lines = joinEqual(run.edits.map((edit) => `- ${summarizeEdit(edit, limit)}`))
    const text = [head, ...lines, foot].join('\n')
    if (text.length <= room) return text
  }
  const lines = joinEqual(run.edits.map((edit) => `- ${summarizeEdit(edit, 60)}`))
  for (let told = lines.length - 1; told >= 0; told--) {
    const ends = [...lines.slice(0, Math.ceil(told / 2)), `- (${lines.length - told} more)`]
    const last = told < 2 ? [] : lines.slice(-Math.floor(told / 2))
    const text = [head, ...ends, ...last, foot].join('\n')
    if (text.length <= room) return text
  }
  return null
}

/** `- Modified system prompt 3x`, as the smart tool history writes it. */
function joinEqual(lines: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, count]) => (count === 1 ? line : `${line} ${count}x`))
}

function whatChanged({ action }: Operation): string {
  switch (action.kind) {
    case 'write':
      return 'wrote the whole file'
    case 'edit':
      return action.edits.map(describeEdit).join('; ') || 'changed it'
    case 'patch':
      return patched(action.files.flatMap((file) => (file.op === 'update' ? file.hunks : [])))
    default:
      return 'changed it'
  }
}

function describeEdit(edit: TextEdit): string {
  switch (edit.kind) {
    case 'replace':
      return replaced(edit.oldText, edit.newText)
    case 'insert':
      return `inserted after line ${edit.afterLine}: ${firstLine(edit.text)}`
    case 'lines':
      return `lines ${edit.lines.start}-${edit.lines.end ?? 'end'}: ${firstLine(edit.text)}`
    case 'cell':
      return `${edit.mode} cell ${edit.cell}`.trimEnd()
    case 'undo':
      return 'took the last edit back'
  }
}

function patched(
  hunks: readonly { readonly lines: readonly { readonly sign: string; readonly text: string }[] }[],
): string {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const oldText = lines.filter((line) => line.sign === '-').map((line) => line.text)
  const newText = lines.filter((line) => line.sign === '+').map((line) => line.text)
  return replaced(oldText.join('\n'), newText.join('\n'))
}

/** The first line in which the two differ says most about a change; lines around it that stay say nothing. */
function replaced(oldText: string, newText: string): string {
  const before = wordsOfLines(oldText)
  const after = wordsOfLines(newText)
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  const gone = firstLine(before.slice(start, before.length - end).join('\n'))
  const come = firstLine(after.slice(start, after.length - end).join('\n'))
  if (come === '') return gone === '' ? 'changed white space' : `removed ${gone}`
  return gone === '' ? `added ${come}` : `${cutEnd(gone, 50)} → ${come}`
}

/** The lines without how they are indented and spaced. */
function wordsOfLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => oneLine(line).replace(/,$/, ''))
    .filter((line) => line !== '')
}

function firstLine(text: string): string {
  return oneLine(text.split('\n').find((line) => line.trim() !== '') ?? '')
}
