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

/** What all parts of one command share, subshells included. */
export interface Effects {
  readonly changes: ShellChange[]
  /** Texts that the command itself has written, by normal path: a later part may run them or apply them. */
  readonly texts: Map<string, string>
  readonly functions: Map<string, FunctionNode>
  /** How many programs are wrapped in each other at this moment: `sudo env timeout …`. */
  wrapping: number
  /** Characters of loop bodies and functions that are still followed; keeps the work linear. */
  repeatBudget: number
  /** Characters that expansions may still produce; keeps `a=$a$a` from growing without end. */
  expansionBudget: number
}

/** Runs parts of a command, and says what they print. Comes with the context because parts hold parts. */
export interface Runner {
  readonly node: (context: ShellContext, node: CommandNode, stdin: Output | null) => Output
  readonly words: (context: ShellContext, words: readonly Field[], stdin: Output | null) => Output
  readonly text: (context: ShellContext, text: string, stdin: Output | null) => Output
  /** The script of a substitution, in a subshell. */
  readonly substitution: (context: ShellContext, script: ParsedScript) => Output
}

export interface ShellContext {
  /** Where relative paths start: '' is the directory the command began in, null is nowhere known. */
  directory: string | null
  previousDirectory: string | null
  readonly scope: Scope
  /** False where a part may not run at all: after `||`, in an `if`. */
  certain: boolean
  /** True where the command as a whole fails when this part does. */
  decisive: boolean
  /** How deep in subshells, substitutions and wrapped scripts this is. */
  readonly depth: number
  readonly effects: Effects
  readonly run: Runner
}

/** Where `cd $(mktemp -d)` leads. Files below it are not tracked. */
export const TEMPORARY_DIRECTORY = '/tmp/mktemp.XXXXXXXXXX'

/** Nobody writes a longer path, and to put one in its normal form takes the square of its length. */
const LONGEST_PATH = 1024

/** Scripts inside scripts, and programs inside programs, are followed this far. */
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

/** A subshell: its `cd` and its variables do not come back, its changes do. */
export function createSubshell(context: ShellContext): ShellContext {
  return { ...context, scope: createScope(context.scope), depth: context.depth + 1 }
}

/** A part that may not run: inside it everything holds, after it only what it leaves as it was. */
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
  /** `/dev/null`, a terminal, a temporary file: nothing that is tracked. */
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'unknown' }

/** Where a word leads as a path, seen from the current directory. */
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

/** The path as written where no `cd` came before it, else joined to the directory; null when unknown. */
export function joinPath(directory: string | null, path: string): string | null {
  if (path.length + (directory?.length ?? 0) > LONGEST_PATH) return null
  if (isAbsolutePath(path) || directory === '') return path
  return directory === null ? null : posix.join(directory, path)
}

function isAbsolutePath(path: string): boolean {
  return /^(?:\/|~|[A-Za-z]:[\\/])/.test(path)
}

/** True when a body may be run so many times; the first round of anything is free. */
export function mayRepeat(
  context: ShellContext,
  body: { readonly pos: number; readonly end: number },
  rounds: number,
): boolean {
  // A round costs something whatever its length, and a body that was cut off may claim to have none.
  const cost = (rounds - 1) * Math.max(body.end - body.pos, 200)
  if (cost > context.effects.repeatBudget) return false
  context.effects.repeatBudget -= cost
  return true
}
