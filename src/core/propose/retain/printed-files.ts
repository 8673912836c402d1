import type { Action } from '../../words/action.ts'
import { runsGit } from '../../words/git-verbs.ts'

const printingVerb = /^(?: -C \S+)? (?:diff|show)\b(?!.* --(?:stat|shortstat|numstat|name-))/

/** True when the output is file text, by whatever tool. The agent may copy from it for an edit. */
export function printsFile(action: Action): boolean {
  if (action.kind === 'read') return true
  return action.kind === 'shell' && action.changes.length === 0 && action.reads.length > 0
}

/** True when changed lines of files were printed, with some lines around them. They are copied for edits too. */
export function printsChanges(action: Action): boolean {
  return action.kind === 'shell' && runsGit(action.command, printingVerb)
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
