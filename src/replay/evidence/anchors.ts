import { actionOf } from '../../actions/index.ts'
import type { Action, FilePatch, PatchHunk, TextEdit } from '../../core/words/action.ts'

/** What one change of a file takes away and puts there, as lines. */
export interface Change {
  /** The lines that the agent had to know: the old text, or context and removed lines. */
  readonly anchor: readonly string[]
  readonly removed: readonly string[]
  readonly added: readonly string[]
  /** The first and the last line of an anchor may be parts of lines. */
  readonly partial: boolean
}

/** The changes that a call makes, as far as it spells them out. */
export function changesOf(call: {
  readonly tool: string
  readonly text: string
}): readonly Change[] {
  return changesOfAction(actionOf(call))
}

function changesOfAction(action: Action): readonly Change[] {
  switch (action.kind) {
    case 'edit':
      return action.edits.flatMap(changeOfEdit)
    case 'write':
      return [{ anchor: [], removed: [], added: lines(action.content), partial: false }]
    case 'patch':
      return action.files.flatMap(changesOfPatch)
    case 'shell':
      return action.changes.flatMap((change) => {
        if (change.kind === 'patch') return change.files.flatMap(changesOfPatch)
        if (change.kind !== 'write') return []
        return [{ anchor: [], removed: [], added: lines(change.content), partial: false }]
      })
    default:
      return []
  }
}

const lines = (text: string): readonly string[] => text.split('\n')

function changeOfEdit(edit: TextEdit): readonly Change[] {
  switch (edit.kind) {
    case 'replace': {
      const removed = lines(edit.oldText)
      return [{ anchor: removed, removed, added: lines(edit.newText), partial: true }]
    }
    case 'insert':
    case 'lines':
      return [{ anchor: [], removed: [], added: lines(edit.text), partial: false }]
    default:
      return []
  }
}

function changesOfPatch(file: FilePatch): readonly Change[] {
  switch (file.op) {
    case 'add':
      return [{ anchor: [], removed: [], added: lines(file.content), partial: false }]
    case 'delete':
      return []
    case 'update':
      return file.hunks.map(changeOfHunk)
  }
}

function changeOfHunk(hunk: PatchHunk): Change {
  const signed = (signs: string): readonly string[] =>
    hunk.lines.filter(({ sign }) => signs.includes(sign)).map(({ text }) => text)
  return { anchor: signed(' -'), removed: signed('-'), added: signed('+'), partial: false }
}
