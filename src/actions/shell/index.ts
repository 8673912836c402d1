import { posix } from 'node:path'
import { type ParsedScript, parse } from 'unbash'
import type { ShellChange, ShellRead } from '../../core/words/action.ts'
import { changedPaths } from '../../core/words/effects.ts'
import { interpret } from './interpret.ts'
import { maskBraces, unmaskBraces } from './mask.ts'
import type { FileText, Output } from './output.ts'
import { readQuery } from './query.ts'

/** What a shell command does, read from its text alone. */
export interface ShellReading {
  /** The files that it prints; what is `exact` shows them as they are after the command's own changes. */
  readonly reads: readonly ShellRead[]
  readonly changes: readonly ShellChange[]
  /** The whole command in one spelling when it only looks at the state of the project, else null. */
  readonly query: string | null
}

/** Commands that write whole files stay below this; a longer text is not read. */
const LONGEST_COMMAND = 2_000_000
/** The parser goes through all heredocs that a line has opened with each further one. */
const MOST_HEREDOCS = 100
/** Each substitution is parsed again inside the one around it. */
const MOST_NESTED = 200

/**
 * Reads a shell command. Total and linear: text that is not shell, or is damaged, gives what could be understood
 * of it, and never more certainty than there is.
 */
export function parseShell(command: string): ShellReading {
  if (command.length > LONGEST_COMMAND) return UNREADABLE
  if (opensManyHeredocs(command) || nestsDeeply(command)) return UNREADABLE
  const masked = maskBraces(command)
  if (masked === null) return UNREADABLE
  try {
    const reading = readScript(parse(masked))
    return masked === command ? reading : unmaskBraces(reading)
  } catch (error) {
    // On some malformed input the parser recurses until the stack ends. Nothing is certain about such a text.
    if (error instanceof RangeError) return UNREADABLE
    throw error
  }
}

function opensManyHeredocs(command: string): boolean {
  if (!command.includes('<<')) return false
  return command.split('\n').some((line) => line.split('<<').length > MOST_HEREDOCS)
}

function nestsDeeply(command: string): boolean {
  let depth = 0
  for (const [found] of command.matchAll(/[$<>]\(|\)/g)) {
    depth = found === ')' ? Math.max(0, depth - 1) : depth + 1
    if (depth > MOST_NESTED) return true
  }
  return false
}

const UNREADABLE: ShellReading = { reads: [], changes: [{ kind: 'unknown' }], query: null }

function readScript(script: ParsedScript): ShellReading {
  const damaged = script.errors !== undefined && script.errors.length > 0
  const { output, context } = interpret(script, { certain: !damaged })
  const { changes } = context.effects
  const reads = readsOf(output, changes, { damaged })
  const asks = !damaged && changes.length === 0 && reads.length === 0
  return { reads, changes: withoutRepeats(changes), query: asks ? readQuery(script) : null }
}

function readsOf(
  output: Output,
  changes: readonly ShellChange[],
  options: { readonly damaged: boolean },
): readonly ShellRead[] {
  const alone = output.length === 1 && !options.damaged
  const changedAt = lastChanges(changes)
  return output
    .filter((piece) => piece.kind === 'file')
    .map((file) => {
      const stale = isStale(file, changedAt)
      const { path, numbered } = file
      const lines = stale ? null : file.lines
      return { path, lines, exact: alone && file.faithful && lines !== null, numbered }
    })
}

/** `sed -i` five times in a row changes its file once, as far as anyone can tell. */
function withoutRepeats(changes: readonly ShellChange[]): readonly ShellChange[] {
  return changes.filter((change, index) => {
    const before = changes[index - 1]
    if (change.kind === 'unknown') return before?.kind !== 'unknown'
    if (change.kind !== 'change' || before?.kind !== 'change') return true
    return before.path !== change.path
  })
}

/** By normal path, the place of the last change; under the empty path that of the last change of anything. */
function lastChanges(changes: readonly ShellChange[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>()
  changes.forEach((change, index) => {
    if (change.kind === 'unknown') last.set('', index)
    for (const path of changedPaths(change)) last.set(posix.normalize(path), index)
  })
  return last
}

/** What was printed before a later part of the same command changed it is no longer how the file is. */
function isStale(file: FileText, changedAt: ReadonlyMap<string, number>): boolean {
  if (changedAt.size === 0) return false
  let path = posix.normalize(file.path)
  // A directory that moved or went takes its files along.
  for (let steps = 0; steps < 100; steps++) {
    if ((changedAt.get(path) ?? -1) >= file.changesBefore) return true
    const parent = posix.dirname(path)
    if (parent === path) break
    path = parent
  }
  return (changedAt.get('') ?? -1) >= file.changesBefore
}
