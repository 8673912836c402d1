import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { bundledCommand, bundledProgram } from '../../bundled-program.ts'
import { projectRoot } from '../../model/project-root.ts'
import type { ModelTurn, Scenario } from '../../model/scenario.ts'
import type { LoggedRequest } from '../../model/server.ts'
import type { Client } from '../client.ts'
import { programs } from '../installed-client.ts'
import { findIsolation } from '../isolation.ts'
import type { PlannedFile } from '../plan.ts'
import { cleanEnvironment } from '../session.ts'
import type { SetupPlan, SetupResult, SetupStep } from './setup-plan.ts'

/** A client as its user has set it up, before Palimpsest comes. */
export interface SetUpClient {
  readonly client: Client
  /** The agent's name on our command line. */
  readonly id: string
  /** Variables that the user keeps in a file instead of in the shell. */
  readonly inFile?: { readonly path: string; readonly names: readonly string[] }
  readonly rewritesSettings?: true
  /** What it writes anew into its settings in every session. */
  readonly stamps?: RegExp
  /** Files with comments and habits of their own, in place of those of the client. */
  readonly files?: (home: string, given: readonly PlannedFile[]) => readonly PlannedFile[]
}

export interface SetupSession {
  readonly results: ReadonlyMap<string, SetupResult>
  readonly requests: readonly LoggedRequest[]
  readonly home: string
  remove(): void
}

export const closing = 'Everything was read twice.'

/** Reads a file twice and has a long output twice, so that there is something to save. */
export function story(folder: string): readonly ModelTurn[] {
  const read = { operations: [{ kind: 'read', path: `${folder}/src/table.js` }] } as const
  const bash = {
    operations: [{ kind: 'bash', command: 'seq -f "row %g of the report is fine" 1 900' }],
  } as const
  return [read, bash, read, bash, read, { text: closing }]
}

/** How commands are started: ours, and the agent's in the user's shell. */
export interface Commands {
  own(...args: readonly string[]): readonly string[]
  inShell(...words: readonly string[]): readonly string[]
  /** The agent with its arguments. */
  readonly agent: readonly string[]
  readonly project: string
}

/** What a user does, and what the model does meanwhile. */
export interface Way {
  readonly steps: readonly SetupStep[]
  readonly turns: readonly ModelTurn[]
}

/** Two sessions of the story: one by `run`, one after `init`. */
function tryAndKeep({ own, inShell, agent, project }: Commands): Way {
  const [id = ''] = agent
  const turns = story(project)
  return {
    turns: [...turns, ...turns],
    steps: [
      { name: 'before', command: ['true'], isPictured: true },
      { name: 'run', command: inShell(...own('run', ...agent)), isPictured: true },
      { name: 'dry-run', command: inShell(...own('init', id, '--dry-run')) },
      { name: 'init', command: inShell(...own('init', id, '--yes')), isPictured: true },
      { name: 'again', command: inShell(...own('init', id, '--yes', '--json')) },
      { name: 'session', command: inShell(...agent), isPictured: true },
      { name: 'doctor', command: inShell(...own('doctor', '--json')) },
      { name: 'undo', command: inShell(...own('init', '--undo', '--yes')), isPictured: true },
    ],
  }
}

/** Goes a way with a client in a home of its own. */
export async function goThroughSetup(
  { client, id, inFile, files }: SetUpClient,
  command: string,
  way: (commands: Commands) => Way = tryAndKeep,
): Promise<SetupSession> {
  // Not in /tmp: some agents ignore settings below a folder that others can write to.
  const cache = join(projectRoot, '.cache')
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'setup-'))
  // A path with spaces, as some users have.
  const [project, home, bin, service] = ['a project', 'my home', 'bin', 'service'].map((name) =>
    join(scratch, name),
  ) as [string, string, string, string]
  for (const folder of [`${project}/src`, home, bin, service])
    mkdirSync(folder, { recursive: true })
  const rows = Array.from({ length: 120 }, (_, n) => `export const row${n} = 'row “${n}” of many'`)
  writeFileSync(`${project}/src/table.js`, `${rows.join('\n')}\n`)
  spawnSync('git', ['init', '-q'], { cwd: project })
  symlinkSync(command, join(bin, id))
  symlinkSync(join(import.meta.dirname, 'service-manager.sh'), join(bin, 'systemctl'))
  const palimpsest = await bundledCommand()
  const setup = client.setUp({ command, home, project }, 'Read the table twice.')
  const { shell, kept } = divided(setup.environment, inFile?.names ?? [])
  const environment = {
    ...cleanEnvironment(home, [bin, ...programs]),
    ...shell,
    SERVICE_FOLDER: service,
  }
  const keptFiles = inFile === undefined ? [] : [{ path: join(home, inFile.path), text: kept }]
  const given = files?.(home, setup.files) ?? setup.files
  const own = (...args: readonly string[]): readonly string[] => [
    process.execPath,
    palimpsest,
    ...args,
  ]
  const inShell = (...words: readonly string[]): readonly string[] =>
    inFile?.path === '.bashrc'
      ? ['/bin/bash', '-c', '. ~/.bashrc; exec "$@"', 'bash', ...words]
      : words
  const log = join(scratch, 'requests.jsonl')
  const { steps, turns } = way({ own, inShell, agent: [id, ...setup.args], project })
  const scenario: Scenario = { aux: 'A title', turns }
  const plan: SetupPlan = {
    ...{ scenario, folder: project, home, log, environment, steps },
    files: [...given, ...keptFiles],
    timeoutMs: 120_000,
  }
  const planFile = join(scratch, 'plan.json')
  writeFileSync(planFile, JSON.stringify(plan))
  const driver = await bundledProgram('test', 'e2e', 'setup', 'drive-setup.ts')
  const results = await runDriver(driver, planFile)
  stopService(service)
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  return {
    results: new Map(results.map((each) => [each.name, each])),
    requests: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LoggedRequest),
    home,
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  }
}

function divided(
  environment: Readonly<Record<string, string>>,
  names: readonly string[],
): { readonly shell: Readonly<Record<string, string>>; readonly kept: string } {
  const entries = Object.entries(environment)
  const inFile = entries.filter(([name]) => names.includes(name))
  return {
    shell: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
    kept: [
      '# my own variables',
      ...inFile.map(([name, value]) => `export ${name}=${value}`),
      '',
    ].join('\n'),
  }
}

/** A service that a failed step left behind. */
function stopService(folder: string): void {
  const file = join(folder, 'pid')
  if (!existsSync(file)) return
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

function runDriver(file: string, planFile: string): Promise<readonly SetupResult[]> {
  const [command, ...args] = findIsolation().wrap([process.execPath, file, planFile])
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: dirname(planFile),
    })
    let output = ''
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString('utf8')
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) setTimeout(() => resolve(JSON.parse(output) as readonly SetupResult[]), 50)
      else reject(new Error(`the driver ended with code ${code}`))
    })
  })
}
