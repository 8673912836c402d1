import type { Field } from './context.ts'

/** Variables of a shell. A subshell's scope extends that of its parent. */
export interface Scope {
  readonly own: Map<string, readonly Field[]>
  readonly outer: Scope | null
}

export function createScope(outer: Scope | null): Scope {
  return { own: new Map(), outer }
}

/** The fields of a variable, several for an array; undefined if the command does not set it. */
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

/** Marks the variable's value as unknown. */
export function forgetVariable(scope: Scope, name: string): void {
  scope.own.set(name, [{ text: `$${name}`, kind: 'unknown' }])
}

/** Sets `$1`, `$2` and `$@`. */
export function setPositional(scope: Scope, values: readonly Field[]): void {
  setVariable(scope, '@', values)
  values.forEach((value, index) => {
    setVariable(scope, String(index + 1), [value])
  })
}
