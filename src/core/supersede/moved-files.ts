import type { Action, FilePatch } from '../record/action.ts'

/** The files and folders that an action gives another name. */
export function moveSources(action: Action): readonly string[] {
  if (action.kind === 'patch') return sourcesIn(action.files)
  if (action.kind !== 'shell') return []
  return action.changes.flatMap((change) => {
    if (change.kind === 'move') return [change.path]
    return change.kind === 'patch' ? sourcesIn(change.files) : []
  })
}

function sourcesIn(files: readonly FilePatch[]): readonly string[] {
  return files.flatMap((file) => (file.op === 'update' && file.movedTo !== null ? [file.path] : []))
}
