import type { Action, ShellChange } from '../../words/action.ts'

/** A file's text, by whatever tool: the agent may copy from it what it edits. */
export function printsFile(action: Action): boolean {
  if (action.kind === 'read') return true
  return action.kind === 'shell' && action.changes.length === 0 && action.reads.length > 0
}

/** True when less than the whole file was asked for. */
export function isPartial(action: Action): boolean {
  if (action.kind === 'read') return action.lines !== null
  if (action.kind !== 'shell') return false
  return action.reads.some(({ lines }) => lines === null || lines.start > 1 || lines.end !== null)
}

/** The files that a call changes, where it says which. */
export function changedPaths(action: Action): readonly string[] {
  switch (action.kind) {
    case 'write':
    case 'edit':
      return [action.path]
    case 'patch':
      return action.files.map(({ path }) => path)
    case 'shell':
      return action.changes.flatMap(changedByShell)
    default:
      return []
  }
}

function changedByShell(change: ShellChange): readonly string[] {
  if (change.kind === 'unknown') return []
  return change.kind === 'patch' ? changedPaths(change) : [change.path]
}
