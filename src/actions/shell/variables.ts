import type { Field } from './context.ts'

/** Variables of a shell; those of a subshell lie over those of the shell it came from. */
export interface Scope {
  readonly own: Map<string, readonly Field[]>
  readonly outer: Scope | null
}

export function createScope(outer: Scope | null): Scope {
  return { own: new Map(), outer }
}

/** The fields of a variable: one, or an array's elements. undefined: the command does not set it. */
export function getVariable(scope: Scope, name: string): readonly Field[] | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const value = at.own.get(name)
    if (value !== undefined) return value
  }
  return undefined
}

export function setVariable(scope: Scope, name: string, value: readonly Field[]): void {
  scope.own.set(name, value)
}

/** From here on only running the command would tell the variable's value. */
export function forgetVariable(scope: Scope, name: string): void {
  scope.own.set(name, [{ text: `$${name}`, kind: 'unknown' }])
}

/** Gives a script its `$1`, `$2` and `$@`. */
export function setPositional(scope: Scope, values: readonly Field[]): void {
  setVariable(scope, '@', values)
  values.forEach((value, index) => {
    setVariable(scope, String(index + 1), [value])
  })
}
