import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundledCommand, bundledProgram } from '../../bundled-program.ts'
import type { Scenario } from '../../model/scenario.ts'
import type { LoggedRequest } from '../../model/server.ts'
import type { Client, ClientPlace, ClientSetup, McpServer } from '../client.ts'
import { findIsolation } from '../isolation.ts'
import type { PlannedFile } from '../plan.ts'
import { cleanEnvironment } from '../session.ts'
import type { GatewayPlan, GatewayRun } from './gateway-plan.ts'

/** A client's session through the gateway, over. */
export interface GatewaySession extends GatewayRun {
  /** What arrived at the model. */
  readonly requests: readonly LoggedRequest[]
  /** What the client printed for the first prompt, and for each of them. */
  readonly output: string
  readonly outputs: readonly string[]
  readonly project: string
  /** The gateway's store, closed. */
  readonly store: string
  /** The command by which an agent with a shell fetches originals. */
  readonly restore: string
  /** What the client itself recorded of the session; null when it keeps no recording. */
  readonly recording: string | null
  remove(): void
}

export interface GatewaySessionOptions {
  readonly client: Client
  readonly command: string
  readonly programs: readonly string[]
  readonly killAfter: number | null
  /** The gateway is started anew between the prompts. */
  readonly restarts?: boolean
  readonly story: Story
  /** How the client gets at originals: by `palimpsest mcp`, by the gateway's `/mcp`, or by the gateway's command. */
  readonly restores?: 'stdio' | 'http' | 'command'
}

/** What is to be done, and what the model does about it. */
export interface Story {
  readonly prompt: string
  /** Prompts that go on with the session, each in a process of the client's own. */
  readonly more?: readonly string[]
  /** The prompt of another session in the same project, after all others. */
  readonly afresh?: string
  /** The gateway's configuration. */
  readonly config?: object
  /** What is in the store before anybody asks. */
  prepare?(store: string): void
  project(folder: string): readonly PlannedFile[]
  scenario(folder: string): Scenario
}

const timeoutMs = 200_000

/** Runs a client through a story in a fresh home, with the gateway between it and the scripted model. */
export async function throughGateway(options: GatewaySessionOptions): Promise<GatewaySession> {
  const { client, command, programs, killAfter, story } = options
  const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-gateway-'))
  const [project, home, own] = ['project', 'home', 'our own'].map((name) =>
    join(scratch, name),
  ) as [string, string, string]
  for (const folder of [home, own]) mkdirSync(folder, { recursive: true })
  for (const { path, text } of story.project(project)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  if (story.config !== undefined)
    writeFileSync(join(own, 'palimpsest.jsonc'), JSON.stringify(story.config))
  // Codex works only where a repository is.
  spawnSync('git', ['init', '-q'], { cwd: project })
  const palimpsest = await bundledCommand()
  const store = join(own, 'store.db')
  story.prepare?.(store)
  const { restores } = options
  const mcp = restores && mcpServer(restores, { palimpsest, store, own })
  const place = { command, home, project, ...(mcp == null ? {} : { mcp }) }
  const setup = client.setUp(place, story.prompt)
  const log = join(scratch, 'requests.jsonl')
  const steps = argumentsOf(client, place, story).map((args, index) => ({
    command,
    args,
    output: join(scratch, `output-${index}`),
  }))
  const plan: GatewayPlan = {
    scenario: story.scenario(project),
    folder: project,
    log,
    files: setup.files,
    environment: { ...cleanEnvironment(home, programs), ...setup.environment },
    steps,
    timeoutMs,
    seed: 11,
    palimpsest,
    store,
    home: own,
    killAfter,
    restarts: options.restarts ?? false,
  }
  const planFile = join(scratch, 'plan.json')
  writeFileSync(planFile, JSON.stringify(plan))
  const driver = await bundledProgram('test', 'e2e', 'gateway', 'drive-gateway.ts')
  const run = await runDriver(driver, planFile)
  const lines = readFileSync(log, 'utf8').split('\n')
  const outputs = run.results.map((_, index) => readFileSync(steps[index]!.output, 'utf8'))
  return {
    ...run,
    requests: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LoggedRequest),
    output: outputs[0] ?? '',
    outputs,
    project,
    store: plan.store,
    restore: restoreCommand(own),
    recording: client.recording?.(place) ?? null,
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  }
}

/** The gateway wrote it as a script into its own folder, whose name has a space. */
function restoreCommand(own: string): string {
  const script = readdirSync(own).find((name) => name.startsWith('restore'))
  return script === undefined ? 'context_restore' : `'${join(own, script)}'`
}

function argumentsOf(
  client: Client,
  place: ClientPlace,
  { prompt, more = [], afresh }: Story,
): readonly (readonly string[])[] {
  const resume = (next: string): ClientSetup => {
    if (client.resume === undefined) throw new Error(`${client.name} cannot go on with a session`)
    return client.resume(place, next)
  }
  const setups = [
    client.setUp(place, prompt),
    ...more.map(resume),
    ...(afresh === undefined ? [] : [client.setUp(place, afresh)]),
  ]
  return setups.map(({ args }) => args)
}

interface Parts {
  readonly palimpsest: string
  readonly store: string
  readonly own: string
}

function mcpServer(
  kind: NonNullable<GatewaySessionOptions['restores']>,
  { palimpsest, store, own }: Parts,
): McpServer | null {
  if (kind === 'command') return null
  if (kind === 'http') return { kind, url: '{url}/mcp' }
  const command = [process.execPath, palimpsest, 'mcp', '--store', store] as const
  return { kind, command: [...command], environment: { PALIMPSEST_HOME: own } }
}

function runDriver(file: string, planFile: string): Promise<GatewayRun> {
  const [command, ...args] = findIsolation().wrap([process.execPath, file, planFile])
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString('utf8')
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as GatewayRun)
      else reject(new Error(`the driver ended with code ${code}`))
    })
  })
}
