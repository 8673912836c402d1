import { fitsPattern } from './name-pattern.ts'

/** True when the list contains the tool, ignoring case. `*` in a name matches any characters. */
export function namesTool(names: readonly string[], tool: string): boolean {
  return names.some((name) => fitsPattern(name, tool))
}
