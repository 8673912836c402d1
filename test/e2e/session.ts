import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { bundledProgram } from '../bundled-program.ts'
import type { Scenario } from '../model/scenario.ts'
import type { LoggedRequest } from '../model/server.ts'
import type { Client } from './client.ts'
import { findIsolation } from './isolation.ts'
import type { Plan, PlannedFile, PlannedStep, StepResult } from './plan.ts'

/** A client's session, over: what it sent, what it printed, and the project as it left it. */
export interface RecordedSession {
  readonly requests: readonly LoggedRequest[]
  readonly results: readonly StepResult[]
  readonly outputs: readonly string[]
  readonly project: string
  remove(): void
}

export interface RecordOptions {
  readonly client: Client
  readonly command: string
  readonly prompt: string
  readonly files: (project: string) => readonly PlannedFile[]
  readonly scenario: (project: string) => Scenario
  /** More of the client's own commands, once the session is over. */
  readonly afterwards?: readonly (readonly string[])[]
  /** Folders with programs that the client may need. */
  readonly programs?: readonly string[]
  /** Where the project lies, when it matters; it must not exist yet. */
  readonly project?: string
  readonly home?: string
}

const sessionTimeoutMs = 90_000

/** Runs a client through a scenario in a fresh home, cut off from every network but loopback where possible. */
export async function recordSession(options: RecordOptions): Promise<RecordedSession> {
  const { client, command, prompt } = options
  const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  const project = options.project ?? join(scratch, 'project')
  const home = options.home ?? join(scratch, 'home')
  const log = join(scratch, 'requests.jsonl')
  mkdirSync(home, { recursive: true })
  createProject(project, options.files(project))
  const setup = client.setUp({ command, home, project }, prompt)
  const outputOf = (index: number): string => join(scratch, `output-${index}`)
  const steps = [setup.args, ...(options.afterwards ?? [])].map(
    (args, index): PlannedStep => ({ command, args, output: outputOf(index) }),
  )
  const plan: Plan = {
    scenario: options.scenario(project),
    folder: project,
    log,
    files: setup.files,
    environment: { ...cleanEnvironment(home, options.programs ?? []), ...setup.environment },
    steps,
    timeoutMs: sessionTimeoutMs,
    seed: 7,
  }
  const planFile = join(scratch, 'plan.json')
  writeFileSync(planFile, JSON.stringify(plan))
  const driver = await bundledProgram('test', 'e2e', 'drive.ts')
  const results = await runDriver(driver, planFile)
  return {
    requests: readLog(log),
    results,
    outputs: results.map((_, index) => readFileSync(outputOf(index), 'utf8')),
    project,
    remove() {
      for (const folder of [scratch, project, home])
        rmSync(folder, { recursive: true, force: true })
    },
  }
}

function createProject(folder: string, files: readonly PlannedFile[]): void {
  for (const file of files) {
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, file.text)
  }
  const date = '2026-03-02T08:00:00Z'
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  const commit = [
    '-c',
    'user.name=dev',
    '-c',
    'user.email=dev@example.com',
    'commit',
    '-qm',
    'start',
  ]
  for (const args of [['init', '-q'], ['add', '-A'], commit])
    spawnSync('git', args, { cwd: folder, env })
}

/** The variables that a client sees: nothing of the machine's own but the programs. */
export function cleanEnvironment(
  home: string,
  programs: readonly string[],
): Readonly<Record<string, string>> {
  const folders = [...programs, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin']
  return {
    PATH: folders.join(delimiter),
    HOME: home,
    USER: 'dev',
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    // Without these, npm prints where its log is and what it would like to be updated to.
    npm_config_logs_max: '0',
    npm_config_update_notifier: 'false',
  }
}

async function runDriver(driver: string, planFile: string): Promise<readonly StepResult[]> {
  const [command, ...args] = findIsolation().wrap([process.execPath, driver, planFile])
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString('utf8')
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as readonly StepResult[])
      else reject(new Error(`the driver ended with code ${code}`))
    })
  })
}

function readLog(log: string): readonly LoggedRequest[] {
  const lines = readFileSync(log, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LoggedRequest)
}
