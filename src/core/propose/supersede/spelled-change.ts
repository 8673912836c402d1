import type { FileState } from '../../files/index.ts'
import type { Action, FilePatch, TextEdit } from '../../words/action.ts'

/**
 * Whether the lines that a call is known to have written cover its whole input. When one of several edits could not be
 * tracked, its text is shown nowhere else, so the input must stay.
 */
export function isSpelledOut(
  action: Action,
  written: Pick<ReadonlySet<number>, 'has'>,
  state: () => FileState,
): boolean {
  const parts = partsOf(action)
  if (parts === null) return false
  if (parts.length <= 1) return true
  const texts: string[] = []
  for (const segment of state().segments) {
    if (segment.kind === 'gap') continue
    for (const { id, text } of segment.lines) if (written.has(id)) texts.push(text)
  }
  const whole = new Set(texts.map((text) => text.trim()))
  return parts.every((part) =>
    part.split('\n').every((line) => {
      const plain = line.trim()
      return plain === '' || whole.has(plain) || texts.some((text) => text.includes(plain))
    }),
  )
}

/** The texts that an action puts into one file, one for each change; null when it is about more than one file. */
function partsOf(action: Action): readonly string[] | null {
  switch (action.kind) {
    case 'write':
      return [action.content]
    case 'edit':
      return action.edits.map(textOf)
    case 'patch':
      return partsOfPatch(action.files)
    case 'shell': {
      const [change, ...others] = action.changes
      if (change === undefined || others.length > 0) return null
      if (change.kind === 'patch') return partsOfPatch(change.files)
      return change.kind === 'write' ? [change.content] : null
    }
    default:
      return null
  }
}

function textOf(edit: TextEdit): string {
  switch (edit.kind) {
    case 'replace':
      return edit.newText
    case 'undo':
      return ''
    default:
      return edit.text
  }
}

function partsOfPatch(files: readonly FilePatch[]): readonly string[] | null {
  const [file, ...others] = files.filter(({ op }) => op !== 'delete')
  if (file === undefined || others.length > 0) return null
  if (file.op !== 'update') return file.op === 'add' ? [file.content] : null
  return file.hunks.map(({ lines }) =>
    lines
      .filter(({ sign }) => sign !== '-')
      .map(({ text }) => text)
      .join('\n'),
  )
}
