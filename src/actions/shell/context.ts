import { posix } from 'node:path'
import type { CommandNode, Function as FunctionNode, ParsedScript } from 'unbash'
import type { ShellChange } from '../../core/words/action.ts'
import type { Output } from './output.ts'
import { createScope, forgetVariable, type Scope } from './variables.ts'

/** A word of a command after expansion. */
export interface Field {
  readonly text: string
  /** `temporary`: a path that `mktemp` made up. `unknown`: the text is the word as written, not its value. */
  readonly kind: 'literal' | 'glob' | 'temporary' | 'unknown'
}

/** State that all parts of a command share, including subshells. */
export interface ShellState {
  readonly changes: ShellChange[]
  /** Texts that the command has written, by normalised path. A later part may run or apply them. */
  readonly texts: Map<string, string>
  readonly functions: Map<string, FunctionNode>
  /** The current nesting of wrapper programs: `sudo env timeout …`. */
  wrapping: number
  /** How many characters of loop bodies and functions may still be run; keeps the work linear. */
  repeatBudget: number
  /** How many characters expansions may still produce; limits `a=$a$a`. */
  expansionBudget: number
}

/** Runs parts of a command and returns their output. Part of the context, because parts are nested. */
export interface Runner {
  readonly node: (context: ShellContext, node: CommandNode, stdin: Output | null) => Output
  readonly words: (context: ShellContext, words: readonly Field[], stdin: Output | null) => Output
  readonly text: (context: ShellContext, text: string, stdin: Output | null) => Output
  /** The script of a substitution, in a subshell. */
  readonly substitution: (context: ShellContext, script: ParsedScript) => Output
}

export interface ShellContext {
  /** The current directory: '' is the one the command started in, null is unknown. */
  directory: string | null
  previousDirectory: string | null
  readonly scope: Scope
  /** False for a part that may not run: after `||`, in an `if`. */
  certain: boolean
  /** True if the whole command fails when this part fails. */
  decisive: boolean
  /** The nesting of subshells, substitutions and wrapped scripts. */
  readonly depth: number
  readonly effects: ShellState
  readonly run: Runner
}

/** The directory after `cd $(mktemp -d)`. Files below it are not tracked. */
export const TEMPORARY_DIRECTORY = '/tmp/mktemp.XXXXXXXXXX'

/** Limits the path length, because normalising a path takes quadratic time. */
const LONGEST_PATH = 1024

/** The maximum nesting of scripts and wrapper programs. */
export const DEEPEST = 8

export function createContext(run: Runner): ShellContext {
  return {
    directory: '',
    previousDirectory: null,
    scope: createScope(null),
    certain: true,
    decisive: true,
    depth: 0,
    effects: {
      changes: [],
      texts: new Map(),
      functions: new Map(),
      wrapping: 0,
      repeatBudget: 200_000,
      expansionBudget: 8_000_000,
    },
    run,
  }
}

/** A subshell: its `cd` and variables stay inside it, its file changes do not. */
export function createSubshell(context: ShellContext): ShellContext {
  return { ...context, scope: createScope(context.scope), depth: context.depth + 1 }
}

/** A part that may not run. After it, only the state that it does not change is known. */
export function createBranch(context: ShellContext): ShellContext {
  return { ...context, scope: createScope(context.scope), certain: false, decisive: false }
}

export function leaveBranch(context: ShellContext, branch: ShellContext): void {
  if (branch.directory !== context.directory) context.directory = null
  for (const name of branch.scope.own.keys()) forgetVariable(context.scope, name)
}

export function literal(text: string): Field {
  return { text, kind: 'literal' }
}

export type Target =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'glob'; readonly path: string }
  /** `/dev/null`, a terminal or a temporary file, which are not tracked. */
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'unknown' }

/** Resolves a word as a path from the current directory. */
export function resolveTarget(context: ShellContext, field: Field): Target {
  if (field.kind === 'temporary') return { kind: 'nowhere' }
  if (field.kind === 'unknown' || field.text === '' || field.text.includes('\0')) {
    return { kind: 'unknown' }
  }
  if (/^\/dev\/(?:null|zero|tty|std\w+|fd\/.*)$/.test(field.text)) return { kind: 'nowhere' }
  const path = joinPath(context.directory, field.text)
  if (path === null) return { kind: 'unknown' }
  if (path.startsWith(TEMPORARY_DIRECTORY)) return { kind: 'nowhere' }
  return { kind: field.kind === 'glob' ? 'glob' : 'path', path }
}

/** The path as written if there was no `cd`, else joined to the directory; null if unknown. */
export function joinPath(directory: string | null, path: string): string | null {
  if (path.length + (directory?.length ?? 0) > LONGEST_PATH) return null
  if (isAbsolutePath(path) || directory === '') return path
  return directory === null ? null : posix.join(directory, path)
}

function isAbsolutePath(path: string): boolean {
  return /^(?:\/|~|[A-Za-z]:[\\/])/.test(path)
}

/** Whether the budget allows this many rounds of a body; the first round is free. */
export function mayRepeat(
  context: ShellContext,
  body: { readonly pos: number; readonly end: number },
  rounds: number,
): boolean {
  // Each round has a minimum cost, because a truncated body may have no length.
  const cost = (rounds - 1) * Math.max(body.end - body.pos, 200)
  if (cost > context.effects.repeatBudget) return false
  context.effects.repeatBudget -= cost
  return true
}
