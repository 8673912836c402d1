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
  /** The files that it prints. `exact` reads show a file as it is after the command's own changes. */
  readonly reads: readonly ShellRead[]
  readonly changes: readonly ShellChange[]
  /** The normalised command if it only reads the state of the project, else null. */
  readonly query: string | null
}

/** Longer commands are not read. */
const LONGEST_COMMAND = 2_000_000
/** Limited, because the parser takes quadratic time for many heredocs on one line. */
const MOST_HEREDOCS = 100
/** Limited, because the parser parses nested substitutions repeatedly. */
const MOST_NESTED = 200

/**
 * Reads a shell command. Never throws and takes linear time. For damaged text it returns what could be understood.
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
    // The parser overflows the stack on some malformed input.
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

/** Repeated unknown changes of the same file, such as `sed -i` five times, count once. */
function withoutRepeats(changes: readonly ShellChange[]): readonly ShellChange[] {
  return changes.filter((change, index) => {
    const before = changes[index - 1]
    if (change.kind === 'unknown') return before?.kind !== 'unknown'
    if (change.kind !== 'change' || before?.kind !== 'change') return true
    return before.path !== change.path
  })
}

/** The index of the last change by normalised path; the empty path is the last change of an unknown file. */
function lastChanges(changes: readonly ShellChange[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>()
  changes.forEach((change, index) => {
    if (change.kind === 'unknown') last.set('', index)
    for (const path of changedPaths(change)) last.set(posix.normalize(path), index)
  })
  return last
}

/** True if a later part of the command changed the file after it was printed. */
function isStale(file: FileText, changedAt: ReadonlyMap<string, number>): boolean {
  if (changedAt.size === 0) return false
  let path = posix.normalize(file.path)
  // Moving or deleting a directory also changes its files.
  for (let steps = 0; steps < 100; steps++) {
    if ((changedAt.get(path) ?? -1) >= file.changesBefore) return true
    const parent = posix.dirname(path)
    if (parent === path) break
    path = parent
  }
  return (changedAt.get('') ?? -1) >= file.changesBefore
}
