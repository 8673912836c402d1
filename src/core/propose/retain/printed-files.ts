import type { Action } from '../../words/action.ts'

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
