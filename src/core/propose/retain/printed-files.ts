import type { Action } from '../../words/action.ts'

/** True when the output is file text, by whatever tool. The agent may copy from it for an edit. */
export function printsFile(action: Action): boolean {
  if (action.kind === 'read') return true
  return action.kind === 'shell' && action.changes.length === 0 && action.reads.length > 0
}

/** True when known lines of files were printed (`cat`, `sed -n`, `nl`), and not what a program found in them. */
export function printsKnownLines(action: Action): boolean {
  if (action.kind === 'read') return true
  if (action.kind !== 'shell' || !printsFile(action)) return false
  return action.reads.every(({ lines, exact }) => exact || lines !== null)
}

/** True when less than the whole file was asked for. */
export function isPartial(action: Action): boolean {
  if (action.kind === 'read') return action.lines !== null
  if (action.kind !== 'shell') return false
  return action.reads.some(({ lines }) => lines === null || lines.start > 1 || lines.end !== null)
}
