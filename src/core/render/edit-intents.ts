import type { TextEdit } from '../words/action.ts'
import type { Rendition } from '../words/decision.ts'
import { parseJsonObject } from '../words/json.ts'
import type { Operation } from '../words/operation.ts'
import { cutEnd, oneLine } from './cut.ts'
import { shorterInput } from './input-note.ts'
import { editList, inputNote, type Recall, restoreHint } from './marks.ts'
import { pathAsWritten } from './path-as-written.ts'
import { bareInput } from './stripped-input.ts'

const intentLimit = 120

/** The reason that the agent gave for a change, or null. */
export function intentOf(operation: Operation): string | null {
  const input = parseJsonObject(operation.call.text)
  for (const key of ['intent', 'description', 'explanation', 'instruction', 'instructions']) {
    const value = input?.[key]
    if (typeof value === 'string' && value.trim() !== '') return oneLine(value)
  }
  return null
}

/** A change in one line: its intent, or else its effect. */
export function summarizeEdit(operation: Operation, limit: number = intentLimit): string {
  return cutEnd(intentOf(operation) ?? whatChanged(operation), limit)
}

export interface EditRun {
  /** In its canonical form. */
  readonly path: string
  /** In order. */
  readonly edits: readonly Operation[]
  /** How many characters the inputs of the other edits have lost. */
  readonly sparedChars?: number
}

/**
 * A list of the intents of several edits of one file, with equal ones counted. To fit the room, entries are shortened, then
 * the middle of the list is only counted; null when that does not fit either.
 */
export function listIntents(
  run: Pick<EditRun, 'path' | 'edits'>,
  recall: Recall,
  room: number,
): string | null {
  const turns = run.edits.map((edit) => edit.turn)
  const head = editList.head(
    oneLine(run.path),
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
  for (let shown = lines.length - 1; shown >= 0; shown--) {
    const ends = [...lines.slice(0, Math.ceil(shown / 2)), `- (${lines.length - shown} more)`]
    const last = shown < 2 ? [] : lines.slice(-Math.floor(shown / 2))
    const text = [head, ...ends, ...last, foot].join('\n')
    if (text.length <= room) return text
  }
  return null
}

/**
 * The input of one edit of a run, stripped, with the list of all intents as its note. null when the run is not shorter
 * with it than without. The handle is that of the carrier.
 */
export function editListInput(
  carrier: Operation,
  run: EditRun,
  restore: string | null,
): Rendition | null {
  const { text, handle } = carrier.call
  const input = bareInput(carrier)
  if (input === null) return null
  const path = pathAsWritten(run.path, text)
  const room = text.length - input.length - 2 + (run.sparedChars ?? 0)
  const list = listIntents({ ...run, path }, { handle, restore }, room)
  return list === null ? null : shorterInput('distilled', input, list)
}

/** The input of an edit whose intent is in a list elsewhere; null when it is not shorter. */
export function listedInput(edit: Operation): Rendition | null {
  const { text, handle } = edit.call
  const input = bareInput(edit)
  if (input === null) return null
  const rendition = shorterInput('stripped', input, inputNote.writeListed(handle))
  return (rendition.text?.length ?? 0) < text.length ? rendition : null
}

/** Joins equal lines with a count: `- Modified system prompt 3x`. */
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

/** Describes a replacement by the first lines that differ. */
function replaced(oldText: string, newText: string): string {
  const before = wordsOfLines(oldText)
  const after = wordsOfLines(newText)
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  const removed = firstLine(before.slice(start, before.length - end).join('\n'))
  const added = firstLine(after.slice(start, after.length - end).join('\n'))
  if (added === '') return removed === '' ? 'changed white space' : `removed ${removed}`
  return removed === '' ? `added ${added}` : `${cutEnd(removed, 50)} → ${added}`
}

/** The non-empty lines with normalized white space. */
function wordsOfLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => oneLine(line).replace(/,$/, ''))
    .filter((line) => line !== '')
}

function firstLine(text: string): string {
  return oneLine(text.split('\n').find((line) => line.trim() !== '') ?? '')
}
