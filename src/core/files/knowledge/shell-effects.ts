import type { FilePatch, ShellAction, ShellChange } from '../../words/action.ts'
import { changedPaths } from '../../words/effects.ts'
import { runsGit } from '../../words/git-verbs.ts'
import type { Operation } from '../../words/operation.ts'
import type { ResultReading } from '../../words/reading.ts'
import { appendText, writeText } from './apply-edits.ts'
import { applyHunks } from './apply-patch.ts'
import { fileState } from './file-state.ts'
import type { FileTable } from './file-table.ts'
import { formatterChecked, formatterRan } from './formatting.ts'
import { printedObservation, untrimmed } from './observation.ts'

/** Applies what a command did to files, then what it printed of one, because it prints files after changing them. */
export function observeShell(table: FileTable, operation: Operation, action: ShellAction): void {
  const { reading, status } = operation
  if (status === 'error' && neverRan(reading)) return
  const failed = status === 'error' || (reading?.exitCode ?? 0) !== 0
  for (const change of action.changes) {
    applyChange(table, operation, action, change)
    // A command that failed may have made only some of its changes.
    if (failed) for (const path of changedPaths(change)) table.doubt(operation, path)
  }
  if (reading?.formatting !== undefined) formatterChecked(table, reading.formatting)
  const only = action.reads.length === 1 ? action.reads[0] : undefined
  if (failed || only === undefined || !only.exact || reading === null) return
  const printed = printedObservation(reading, only.lines, only)
  if (printed === null) return
  const observation = reading.trimmed
    ? untrimmed(printed, fileState(table.known(only.path)))
    : printed
  table.show(operation, only.path, observation)
}

function applyChange(
  table: FileTable,
  operation: Operation,
  action: ShellAction,
  change: ShellChange,
): void {
  switch (change.kind) {
    case 'write':
      if (change.append && table.known(change.path).exists !== false) {
        const appended = appendText(table.known(change.path), change.content, table.moment())
        table.change(operation, change.path, 'write', appended, { first: null })
      } else writeFile(table, operation, change.path, change.content)
      return
    case 'change':
      table.doubt(operation, change.path)
      return
    case 'delete':
      table.remove(operation, change.path)
      return
    case 'move':
    case 'copy':
      table.transfer(operation, change.kind, change.path, change.to)
      return
    case 'patch':
      patchFiles(table, operation, change.files)
      return
    case 'unknown':
      applyUnknown(table, operation, unknownEffect(action.command, operation.reading))
  }
}

function applyUnknown(table: FileTable, operation: Operation, effect: UnknownEffect): void {
  const { changing } = table
  switch (effect) {
    case 'all':
      if (changing === null) table.doubtAll()
      else for (const path of changing) table.doubt(operation, path)
      return
    case 'edited':
      for (const path of changing ?? []) {
        if (!table.unformatted.has(path)) table.doubt(operation, path)
      }
      formatterRan(table, operation.reading?.formatting ?? null)
      return
    case 'none':
      return
  }
}

export function writeFile(
  table: FileTable,
  operation: Operation,
  path: string,
  content: string,
): void {
  const written = writeText(table.known(path), content, table.moment())
  table.change(operation, path, 'write', written, { first: 1 })
}

export function patchFiles(
  table: FileTable,
  operation: Operation,
  patches: readonly FilePatch[],
): void {
  for (const file of patches) {
    if (file.op === 'add') writeFile(table, operation, file.path, file.content)
    else if (file.op === 'delete') table.remove(operation, file.path)
    else {
      if (file.hunks.length > 0) {
        const changed = applyHunks(table.known(file.path), file.hunks, table.moment())
        table.change(operation, file.path, 'patch', changed, { first: null })
      }
      if (file.movedTo !== null) table.transfer(operation, 'move', file.path, file.movedTo)
    }
  }
}

/**
 * Which files a command may have changed without naming them. `edited`: those that the agent changed since the last such
 * command, because a formatter does not change what it has formatted. `none`: its output says that it changed none.
 */
type UnknownEffect = 'all' | 'edited' | 'none'

const gitChanges =
  /\s(?:pull|checkout|switch|stash|reset|merge|rebase|restore|cherry-pick|revert|apply|am|clean|bisect|worktree)\b/
const gitDidNothing =
  /^(?:fatal|error): |^Already up[ -]to[ -]date|^Current branch .* is up to date|^No local changes to save|^No stash entries found/m

const formatter =
  /\b(?:fmt|format(?:ted|ter)?|gofmt|goimports|rustfmt|prettier|biome|ultracite|dprint|eslint|stylelint|oxlint|black|ruff|isort|autopep8|yapf|rubocop|standard|xo|lint[:-]fix|fix(?:es)?)\b|--(?:fix|write|apply)\b/
const formatted = /\bFixed [1-9]\d* files?\b|\b[1-9]\d* files? (?:re)?formatted\b|^reformatted /m
const formattedNothing =
  /\bNo fixes applied\b|\b0 files? (?:re)?formatted\b|\bfiles? left unchanged\b|\bAll matched files use\b/

function unknownEffect(command: string, reading: ResultReading | null): UnknownEffect {
  const output = reading?.body ?? ''
  // A program in Codex's code mode can run any other tool.
  if (/\btools\b/.test(command) && /\bawait\b|\btools\.\w+\(/.test(command)) return 'all'
  if (runsGit(command, gitChanges)) return gitDidNothing.test(output) ? 'none' : 'all'
  if (!formatter.test(command)) return 'all'
  // A script may change any file, even beside a formatter.
  if (
    /\b(?:python[\d.]*|node|ruby|perl|bash|sh)\s|\bsed\s+-[a-zA-Z]*i|-exec\b|\bxargs\b/.test(
      command,
    )
  )
    return 'all'
  return formattedNothing.test(output) && !formatted.test(output) ? 'none' : 'edited'
}

/**
 * True when a failed command did not run at all, because the agent refused or the user rejected it: then there is no
 * exit code. A command that timed out did run.
 */
function neverRan(reading: ResultReading | null): boolean {
  if (reading === null || reading.exitCode !== null) return false
  return !/\b(?:timed?[ -]?out|timeout|killed|aborted|terminated|interrupted)\b/i.test(
    reading.body.slice(0, 2000) + reading.body.slice(-2000),
  )
}
