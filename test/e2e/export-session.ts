import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { objectOf } from '../../src/core/words/json.ts'
import { asString } from '../model/json.ts'
import type { ClientPlace } from './client.ts'

/** Has OpenCode export its newest session into a file of its home; gives the file, or null when it has no session. */
export function exportNewestSession(
  place: ClientPlace,
  environment: Readonly<Record<string, string>>,
): string | null {
  const listed = runOpenCode(place, ['session', 'list', '--format', 'json'], environment)
  const [entry] = JSON.parse(readFileSync(listed, 'utf8') || '[]') as readonly unknown[]
  if (entry === undefined) return null
  return runOpenCode(place, ['export', asString(objectOf(entry).id)], environment)
}

/** Into a file: what OpenCode writes into a pipe is cut off when it exits. */
function runOpenCode(
  { command, home, project }: ClientPlace,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): string {
  const file = join(home, `${args[0]}.json`)
  const output = openSync(file, 'w')
  spawnSync(command, args, { cwd: project, env: environment, stdio: ['ignore', output, 'ignore'] })
  closeSync(output)
  return file
}
