import type { LineCommand } from '../../words/action.ts'
import { type LinearRegExp, linearRegExp } from '../text/linear-regexp.ts'

/** The lines of another file where all of them are certain, else null. */
export type LinesOf = (path: string) => readonly string[] | null

/** What a command does to a line. */
type Deed =
  | {
      readonly kind: 'substitute'
      /** The line after the substitution; null where nobody knows it. */
      readonly replace: (text: string) => string | null
      readonly breaks: boolean
    }
  | { readonly kind: 'insert' | 'append' | 'change'; readonly lines: readonly string[] | null }
  | { readonly kind: 'delete' }

/** A command that is ready to be asked about lines. */
export interface ScriptEdit {
  /** The first and the last line that it names by number; 0 when it names none. */
  readonly firstLine: number
  readonly lastLine: number
  /** Whether it is about a line, of which the number, the text or both are known. */
  on(number: number | null, text: string | null): 'yes' | 'no' | 'maybe'
  readonly does: Deed
  /** True when it may add or remove lines wherever it finds some. */
  readonly scatters: boolean
}

export function scriptEdit({ on, does }: LineCommand, linesOf: LinesOf): ScriptEdit {
  const done = deed(does, linesOf)
  return {
    firstLine: on.kind === 'numbers' ? on.from : 0,
    lastLine: on.kind === 'numbers' ? on.to : 0,
    on: addressed(on),
    does: done,
    scatters: on.kind !== 'numbers' && (done.kind !== 'substitute' || done.breaks),
  }
}

function addressed(on: LineCommand['on']): ScriptEdit['on'] {
  switch (on.kind) {
    case 'all':
      return () => 'yes'
    case 'numbers':
      return (number) => {
        if (number === null) return 'maybe'
        return number >= on.from && number <= on.to ? 'yes' : 'no'
      }
    case 'pattern': {
      const expression = lineExpression(on.pattern, on.flags)
      return (_, text) => {
        const isFound = text === null ? null : (expression?.test(text) ?? null)
        return isFound === null ? 'maybe' : isFound ? 'yes' : 'no'
      }
    }
  }
}

function deed(does: LineCommand['does'], linesOf: LinesOf): Deed {
  switch (does.kind) {
    case 'substitute': {
      const expression = lineExpression(does.pattern, does.flags)
      return {
        kind: 'substitute',
        replace: (text) => expression?.replace(text, does.replacement) ?? null,
        breaks: does.replacement.includes('\n'),
      }
    }
    case 'read':
      return { kind: 'append', lines: linesOf(does.path) }
    default:
      return does
  }
}

/** An agent's own pattern. What repeats nothing is quick in any engine. */
function lineExpression(pattern: string, flags: string): LinearRegExp | null {
  if (/[*+?{]/.test(pattern)) return linearRegExp(pattern, flags)
  const expression = new RegExp(pattern, flags)
  return {
    test: (text) => expression.test(text),
    replace: (text, replacement) => text.replace(expression, replacement),
  }
}
