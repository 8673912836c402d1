import type { Action, FilePatch } from '../../words/action.ts'
import { runsGit } from '../../words/git-verbs.ts'

const none: readonly string[] = []

/** The files and folders that an action gives another name. */
export function moveSources(action: Action): readonly string[] {
  if (action.kind === 'patch') return sourcesIn(action.files)
  if (action.kind !== 'shell' || action.changes.length === 0) return none
  return action.changes.flatMap((change) => {
    if (change.kind === 'move') return [change.path]
    return change.kind === 'patch' ? sourcesIn(change.files) : []
  })
}

function sourcesIn(files: readonly FilePatch[]): readonly string[] {
  return files.flatMap((file) => (file.op === 'update' && file.movedTo !== null ? [file.path] : []))
}

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
