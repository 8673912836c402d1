import { isJsonObject } from '../core/words/json.ts'
import type { ConfigFile } from './config.ts'

/** Protecting lists are joined, so that no file removes the protection of another one. */
const joinedLists = new Set(['protectedTools', 'protectedFilePatterns', 'secretFilePatterns'])

/** Puts one configuration over another: objects are merged, protecting lists joined, everything else replaced. */
export function mergeConfig(base: ConfigFile, over: ConfigFile): ConfigFile {
  return merged(base, over)
}

function merged<Type extends object>(base: Type, over: Type): Type {
  const result = new Map<string, unknown>(Object.entries(base))
  for (const [key, value] of Object.entries(over)) {
    if (value !== undefined) result.set(key, combined(key, result.get(key), value))
  }
  return Object.fromEntries(result) as Type
}

function combined(key: string, base: unknown, over: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(over)) {
    return joinedLists.has(key) ? [...new Set([...base, ...over])] : over
  }
  if (!isJsonObject(base) && !isJsonObject(over)) return over
  const from = asObject(base)
  const to = asObject(over)
  return from !== null && to !== null ? merged(from, to) : over
}

/** The object form of a short one (`true`, or a number of turns), so that files may mix them. */
function asObject(value: unknown): object | null {
  if (typeof value === 'boolean') return { enabled: value }
  if (typeof value === 'number') return { enabled: true, turns: value }
  return isJsonObject(value) ? value : null
}
