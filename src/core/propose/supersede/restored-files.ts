import type { Action } from '../../words/action.ts'
import { runsGit } from '../../words/git-verbs.ts'

const restoring = /\s(?:checkout|restore|reset|stash|revert)\b/

/**
 * True for a command that may bring back a text which a file had before: of the paths that it names, or of any when it
 * names none.
 */
export function restoresFiles(action: Action): boolean {
  return (
    action.kind === 'shell' &&
    action.changes.length > 0 &&
    action.changes.some(({ kind }) => kind === 'change' || kind === 'unknown') &&
    runsGit(action.command, restoring)
  )
}
