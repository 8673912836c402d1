import { isJsonObject } from '../core/words/json.ts'
import type { ConfigFile } from './config.ts'

/** Lists that protect grow from file to file, so that no file takes back what another one protects. */
const joinedLists = new Set(['protectedTools', 'protectedFilePatterns'])

/** One configuration over another: objects are merged, protecting lists joined, everything else replaced. */
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

/** The long form of a short one (`true`, or a number of turns), so that files may mix them. */
function asObject(value: unknown): object | null {
  if (typeof value === 'boolean') return { enabled: value }
  if (typeof value === 'number') return { enabled: true, turns: value }
  return isJsonObject(value) ? value : null
}
