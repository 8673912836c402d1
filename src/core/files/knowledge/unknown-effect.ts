import { runsGit } from '../../words/git-verbs.ts'
import type { ResultReading } from '../../words/reading.ts'

/**
 * Which files a command may have changed without naming them. `edited`: those that the agent changed since the last such
 * command, because a formatter does not change what it has formatted. `none`: its output says that it changed none.
 */
export type UnknownEffect = 'all' | 'edited' | 'none'

const gitChanges =
  /\s(?:pull|checkout|switch|stash|reset|merge|rebase|restore|cherry-pick|revert|apply|am|clean|bisect|worktree)\b/
const gitDidNothing =
  /^(?:fatal|error): |^Already up[ -]to[ -]date|^Current branch .* is up to date|^No local changes to save|^No stash entries found/m

const formatter =
  /\b(?:fmt|format(?:ted|ter)?|gofmt|goimports|rustfmt|prettier|biome|ultracite|dprint|eslint|stylelint|oxlint|black|ruff|isort|autopep8|yapf|rubocop|standard|xo|lint[:-]fix|fix(?:es)?)\b|--(?:fix|write|apply)\b/
const formatted = /\bFixed [1-9]\d* files?\b|\b[1-9]\d* files? (?:re)?formatted\b|^reformatted /m
const formattedNothing =
  /\bNo fixes applied\b|\b0 files? (?:re)?formatted\b|\bfiles? left unchanged\b|\bAll matched files use\b/

export function unknownEffect(command: string, reading: ResultReading | null): UnknownEffect {
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
export function neverRan(reading: ResultReading | null): boolean {
  if (reading === null || reading.exitCode !== null) return false
  return !/\b(?:timed?[ -]?out|timeout|killed|aborted|terminated|interrupted)\b/i.test(
    reading.body.slice(0, 2000) + reading.body.slice(-2000),
  )
}
