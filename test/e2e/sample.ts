import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { PalimpsestError } from '../../src/core/words/errors.ts'
import { parseScenario } from '../model/scenario.ts'
import { exportNewestSession } from './export-session.ts'
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
    const exported = exportNewestSession({ command, home, project }, environment)
    if (exported === null) throw new PalimpsestError('unreadable', 'OpenCode kept no session')
    return normaliseExport(readFileSync(exported, 'utf8'))
  } finally {
    session.remove()
  }
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
