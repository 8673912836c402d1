import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'rolldown'
import { agentCommand, newestVersion, ripgrepFolder } from '../../../scripts/agents.mjs'
import { bundledProgram } from '../../bundled-program.ts'
import { projectRoot } from '../../model/project-root.ts'
import type { Scenario } from '../../model/scenario.ts'
import type { LoggedRequest } from '../../model/server.ts'
import { findIsolation } from '../isolation.ts'
import { openCode } from '../opencode.ts'
import type { PlannedFile } from '../plan.ts'
import { cleanEnvironment } from '../session.ts'
import type { ServeAnswer, ServePlan, ServeStep } from './serve-plan.ts'

/**
 * The formats in which the host talks to models. The plugin sees the same messages over each of them; a short run of a suite
 * takes one or two, and all suites together take each.
 */
export const wireFormats = ['anthropic', 'openai-chat', 'openai-responses'] as const

export type WireFormat = (typeof wireFormats)[number]

const hostVersion = newestVersion('opencode')
export const hostAgent: string = `opencode-${hostVersion}`
export const hostCommand: string | null = agentCommand(hostAgent)

/** What stands beside a suite's name when the host is not installed. */
export const hostTitle = (title: string): string =>
  hostCommand === null
    ? `${title} (skipped: not installed, get it with \`npm test -- --all\`)`
    : title

/** Sessions in the real host with the plugin, over: what the model received, and what the host answered. */
export interface ServedSession {
  /** Requests of the conversation, without those for titles. */
  readonly requests: readonly LoggedRequest[]
  readonly all: readonly LoggedRequest[]
  readonly answers: readonly ServeAnswer[]
  readonly home: string
  remove(): void
}

export interface ServedOptions {
  readonly format?: WireFormat
  readonly scenario: (project: string) => Scenario
  readonly files?: Readonly<Record<string, string>>
  readonly steps: (project: string) => readonly ServeStep[]
  /** What stands beside the plugin's name. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Changes of the host's own configuration. */
  readonly host?: Readonly<Record<string, unknown>>
  /** Environment variables besides those that every session has. */
  readonly environment?: Readonly<Record<string, string>>
  /** Another plugin in the place of ours; null for none. */
  readonly plugin?: string | null
  /** A package that the host can install by its name; see `ServePlan`. */
  readonly offers?: string
}

export async function serveSession(options: ServedOptions): Promise<ServedSession> {
  const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-host-'))
  const project = join(scratch, 'project')
  const home = join(scratch, 'home')
  const log = join(scratch, 'requests.jsonl')
  const answersFile = join(scratch, 'answers.json')
  mkdirSync(home, { recursive: true })
  mkdirSync(project, { recursive: true })
  for (const [name, text] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), text)
  }
  const plugin = options.plugin === undefined ? await bundledPlugin(home) : options.plugin
  const client = openCode(hostVersion, options.format ?? 'anthropic')
  const setup = client.setUp({ command: hostCommand ?? '', home, project }, '')
  const rg = ripgrepFolder()
  const plan: ServePlan = {
    scenario: options.scenario(project),
    command: hostCommand ?? '',
    folder: project,
    log,
    answers: answersFile,
    files: [...setup.files.map((file) => withPlugin(file, plugin, options)), ...ownPackage(home)],
    environment: {
      ...cleanEnvironment(home, rg === null ? [] : [rg]),
      ...setup.environment,
      PALIMPSEST_HOME: join(home, 'palimpsest'),
      ...options.environment,
    },
    steps: startedSteps(options.steps(project)),
    timeoutMs: 400_000,
    ...(options.offers === undefined ? {} : { offers: options.offers }),
  }
  const planFile = join(scratch, 'plan.json')
  writeFileSync(planFile, JSON.stringify(plan))
  const driver = await bundledProgram('test', 'e2e', 'opencode', 'serve-drive.ts')
  await runDriver(driver, planFile)
  const answers = JSON.parse(readFileSync(answersFile, 'utf8')) as readonly ServeAnswer[]
  const all = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoggedRequest)
  return {
    requests: all.filter(({ turn }) => turn !== null),
    all,
    answers,
    home,
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  }
}

/** Whoever calls the host first wants it to run. */
function startedSteps(steps: readonly ServeStep[]): readonly ServeStep[] {
  return steps[0]?.kind === 'call' ? [{ kind: 'start' }, ...steps] : steps
}

/** With a plugin, OpenCode installs a package of its own beside its configuration, unless it is noted as installed. */
function ownPackage(home: string): readonly PlannedFile[] {
  const folder = join(home, '.config', 'opencode')
  const packages = { '': { dependencies: { '@opencode-ai/plugin': hostVersion } } }
  return [
    { path: join(folder, 'node_modules', '.keep'), text: '' },
    {
      path: join(folder, 'package-lock.json'),
      text: JSON.stringify({ lockfileVersion: 3, packages }),
    },
  ]
}

function withPlugin(
  file: PlannedFile,
  plugin: string | null,
  { options, host }: ServedOptions,
): PlannedFile {
  if (!file.path.endsWith('opencode.json')) return file
  const config = JSON.parse(file.text) as Record<string, unknown>
  const named = plugin === null ? [] : [options === undefined ? plugin : [plugin, options]]
  return { ...file, text: JSON.stringify({ ...config, plugin: named, ...host }) }
}

/** The plugin as it would be installed: its entry, and what it loads later. */
export async function bundledPlugin(home: string): Promise<string> {
  const dir = join(home, 'plugin')
  await build({
    platform: 'node',
    external: [/^node:/, /^bun:/, 'pg'],
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'silent',
    input: join(projectRoot, 'src/opencode/server.ts'),
    output: { format: 'esm', dir },
  })
  return `file://${join(dir, 'server.js')}`
}

async function runDriver(driver: string, planFile: string): Promise<void> {
  const [command, ...args] = findIsolation().wrap([process.execPath, driver, planFile])
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`the driver ended with code ${code}`))
    })
  })
}
