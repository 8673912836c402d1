import type { Action, ShellChange } from '../core/words/action.ts'

/** The files that a call prints, as the agent spelled them. */
export function filesRead(action: Action): readonly string[] {
  switch (action.kind) {
    case 'read':
      return [action.path]
    case 'shell':
      return action.reads.map((read) => read.path)
    default:
      return []
  }
}

/** The files that a call changes, as far as the call itself names them. */
export function filesChanged(action: Action): readonly string[] {
  switch (action.kind) {
    case 'write':
    case 'edit':
      return [action.path]
    case 'patch':
      return action.files.map((file) => file.path)
    case 'shell':
      return action.changes.flatMap(pathsOfChange)
    default:
      return []
  }
}

function pathsOfChange(change: ShellChange): readonly string[] {
  switch (change.kind) {
    case 'unknown':
      return []
    case 'patch':
      return change.files.map((file) => file.path)
    case 'move':
    case 'copy':
      return [change.path, change.to]
    default:
      return [change.path]
  }
}
