import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { PalimpsestError } from '../../src/core/errors.ts'
import { asObject, asString } from '../model/json.ts'
import { parseScenario } from '../model/scenario.ts'
import { normaliseExport } from './normalise-export.ts'
import { openCode } from './opencode.ts'
import type { PlannedFile } from './plan.ts'
import { samplePrompts, sampleTurns } from './sample-scenario.ts'
import { cleanEnvironment, recordSession } from './session.ts'

/** A place that says nothing about the machine that recorded it. It is created, and removed afterwards. */
const home = '/home/dev'
const project = `${home}/tally`

export interface SampleOptions {
  /** The program of OpenCode. */
  readonly command: string
  readonly version: string
  /** The repository that the agent works on. */
  readonly repository: string
  readonly programs: readonly string[]
}

/** Records the sample session with the real OpenCode; gives its export as text. */
export async function recordSample(options: SampleOptions): Promise<string> {
  if (existsSync(home)) {
    throw new PalimpsestError('usage', `${home} exists; the sample needs that place for itself`)
  }
  const { version, command, programs, repository } = options
  const [first, ...others] = samplePrompts
  const client = openCode(version, 'anthropic', { snapshots: true })
  const session = await recordSession({
    client,
    command,
    programs,
    home,
    project,
    prompt: first,
    afterwards: others.map((prompt) => ['run', '--continue', prompt]),
    files: (folder) => copyOf(repository, folder),
    scenario: (folder) => parseScenario({ turns: sampleTurns, aux: 'Repair tally' }, folder),
  })
  try {
    const failed = session.results.find(({ code }) => code !== 0)
    if (failed !== undefined) throw new PalimpsestError('unreadable', failed.errors)
    const environment = {
      ...cleanEnvironment(home, programs),
      ...client.setUp({ command, home, project }, '').environment,
    }
    const listed = runOpenCode(command, ['session', 'list', '--format', 'json'], environment)
    const [entry] = JSON.parse(listed) as readonly unknown[]
    const exported = runOpenCode(command, ['export', asString(asObject(entry).id)], environment)
    return normaliseExport(exported)
  } finally {
    session.remove()
  }
}

/** Into a file: what OpenCode writes into a pipe is cut off when it exits. */
function runOpenCode(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): string {
  const file = join(home, 'output')
  const output = openSync(file, 'w')
  spawnSync(command, args, { cwd: project, env: environment, stdio: ['ignore', output, 'ignore'] })
  closeSync(output)
  return readFileSync(file, 'utf8')
}

function copyOf(repository: string, folder: string): readonly PlannedFile[] {
  return readdirSync(repository, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({
      path: join(folder, relative(repository, path)),
      text: readFileSync(path, 'utf8'),
    }))
}
