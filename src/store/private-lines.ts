import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseJson } from '../core/words/json.ts'

/** Adds a line of JSON to a file of this user's own folder. Processes may do it at once. */
export function appendPrivateLine(file: string, value: object): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  appendFileSync(file, `${JSON.stringify(value)}\n`, { mode: 0o600 })
}

/** The values of such a file, in order; none where it cannot be read or belongs to another user. Lines that broke off are left out. */
export function readPrivateLines(file: string): readonly unknown[] {
  try {
    const user = process.getuid?.()
    if (user !== undefined && statSync(file).uid !== user) return []
    return readFileSync(file, 'utf8').split('\n').flatMap(parsed)
  } catch {
    return []
  }
}

function parsed(line: string): readonly unknown[] {
  const value = parseJson(line)
  return value === undefined ? [] : [value]
}
