import type { Action } from '../../words/action.ts'

/** True when the output is file text, by whatever tool. The agent may copy from it for an edit. */
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
