import { parse } from 'smol-toml'
import { PalimpsestError } from '../core/words/errors.ts'
import { isJsonObject, type JsonObject } from '../core/words/json.ts'

/** @throws PalimpsestError with code `configuration` for a text that is not TOML. */
export function parseToml(text: string, file: string): JsonObject {
  try {
    const value: unknown = parse(text)
    return isJsonObject(value) ? value : {}
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : ''
    throw new PalimpsestError(
      'configuration',
      `${file}: this is not valid TOML (${reason}). Fix it, and try again.`,
      { cause },
    )
  }
}

interface TomlValue {
  /** `model_providers.azure`; empty for what stands before all tables. */
  readonly table: string
  readonly key: string
  readonly was: string
  readonly value: string
}

/** Replaces a string where it stands, with whatever follows it on its line. null when it is not found there. */
export function withTomlValue(text: string, { table, key, was, value }: TomlValue): string | null {
  const lines = text.split(/(?<=\n)/)
  let current = ''
  for (const [at, line] of lines.entries()) {
    const header = /^\s*\[\s*([^[\]]+?)\s*\]/.exec(line)?.[1]
    if (header !== undefined) current = header.replace(/["']/g, '').replace(/\s*\.\s*/g, '.')
    if (current !== table) continue
    const found = /^(\s*["']?([\w-]+)["']?\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*')(.*)$/s.exec(line)
    if (found === null || found[2] !== key || stringIn(found[3] ?? '') !== was) continue
    lines[at] = `${found[1]}${JSON.stringify(value)}${found[4]}`
    return lines.join('')
  }
  return null
}

function stringIn(literal: string): unknown {
  return parse(`value = ${literal}`).value
}
