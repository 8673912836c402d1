import type { Action } from '../../words/action.ts'
import { runsGit } from '../../words/git-verbs.ts'

const restoring = /\s(?:checkout|restore|reset|stash|revert)\b/

/**
 * True for a command that may restore an earlier text of the files that it names, or of any file when it names none.
 */
export function restoresFiles(action: Action): boolean {
  return (
    action.kind === 'shell' &&
    action.changes.length > 0 &&
    action.changes.some(({ kind }) => kind === 'change' || kind === 'unknown') &&
    runsGit(action.command, restoring)
  )
}
