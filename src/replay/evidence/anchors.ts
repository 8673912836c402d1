import { actionOf } from '../../actions/index.ts'
import type { FilePatch, PatchHunk, TextEdit } from '../../core/words/action.ts'

/** One change of a file, as lines. */
export interface Change {
  /** The text that the agent had to know: the old text, or context and removed lines. */
  readonly anchor: readonly string[]
  readonly removed: readonly string[]
  readonly added: readonly string[]
  /** True when the first and the last line of the anchor may be parts of lines. */
  readonly partial: boolean
}

/** The changes of a call, as far as its input contains them. */
export function changesOf(call: {
  readonly tool: string | null
  readonly text: string
}): readonly Change[] {
  const action = actionOf({ tool: call.tool ?? '', text: call.text })
  switch (action.kind) {
    case 'edit':
      return action.edits.flatMap(changeOfEdit)
    case 'write':
      return [written(action.content)]
    case 'patch':
      return action.files.flatMap(changesOfPatch)
    case 'shell':
      return action.changes.flatMap((change) => {
        if (change.kind === 'patch') return change.files.flatMap(changesOfPatch)
        return change.kind === 'write' ? [written(change.content)] : []
      })
    default:
      return []
  }
}

const lines = (text: string): readonly string[] => text.split('\n')

const written = (content: string): Change => ({
  anchor: [],
  removed: [],
  added: lines(content),
  partial: false,
})

function changeOfEdit(edit: TextEdit): readonly Change[] {
  switch (edit.kind) {
    case 'replace': {
      const removed = lines(edit.oldText)
      return [{ anchor: removed, removed, added: lines(edit.newText), partial: true }]
    }
    case 'insert':
    case 'lines':
      return [written(edit.text)]
    default:
      return []
  }
}

function changesOfPatch(file: FilePatch): readonly Change[] {
  switch (file.op) {
    case 'add':
      return [written(file.content)]
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
