import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import type { UserSetup } from '../setup/agent.ts'
import { agents } from '../setup/agents.ts'
import { type PlannedFile, restoreFile, writeFiles } from '../setup/changed-files.ts'
import { probeGateway, waitForGateway } from '../setup/gateway-probe.ts'
import { type ServiceManager, serviceManager } from '../setup/service.ts'
import { readRecord, type SetupRecord, writeRecord } from '../setup/setup-record.ts'
import { defaultPort, isFree, nextFreePort } from './free-port.ts'
import { chosenAgents, diffLines, type InitPlan, installedAgents, planInit } from './init-plan.ts'
import { planUndo, undoFiles } from './init-undo.ts'
import { yesOption } from './person-consent.ts'
import { type Terminal, writeLines, writeNotice } from './terminal.ts'

interface InitOptions {
  readonly undo?: true
  readonly dryRun?: true
  readonly yes?: true
  readonly port?: string
  readonly service: boolean
  readonly memory?: true
  readonly json?: true
  /** Print nothing. */
  readonly quiet?: true
}

export function initCommand(terminal: Terminal, finish: (code: number) => void): Command {
  return new Command('init')
    .description('set up agents to go through the gateway for good, and a service that runs it')
    .argument('[agents...]', `${agents.map(({ id }) => id).join(', ')}; default: those found`)
    .option('--undo', 'take everything back, also after you edited around it')
    .option('--dry-run', 'show what would change, and change nothing')
    .option(...yesOption)
    .option('--port <number>', `port of the gateway; default: ${defaultPort}, or the next free one`)
    .option('--no-service', 'do not set up a service; keep `palimpsest serve` running yourself')
    .option('--memory', 'also tell models what is remembered of you (memory.inject)')
    .option('--json', 'print one JSON value: {url, agents, files, notes}')
    .addHelpText(
      'after',
      `
Shows each change as a diff and asks before it writes. An address that an agent uses now stays the place where its
requests go in the end: the gateway forwards there. Copies of all files are kept in PALIMPSEST_HOME until the undo.

Examples:
  palimpsest init
  palimpsest init claude codex --yes
  palimpsest init --dry-run
  palimpsest init --undo`,
    )
    .action(async (names: readonly string[], options: InitOptions) => {
      const { home, user, cwd } = terminal
      if (home === undefined || user === undefined)
        throw new PalimpsestError('usage', 'no home folder is known: set HOME')
      const parts = { terminal, options, home: path.resolve(cwd, home), user: { ...user, cwd } }
      finish(options.undo ? await undo(parts, names) : await setUpAgents(parts, names))
    })
}

export interface InitParts {
  readonly terminal: Terminal
  readonly options: InitOptions
  /** The folder of our configuration. */
  readonly home: string
  readonly user: UserSetup
}

/** Sets up agents, after questions unless `--yes` was given. Returns the exit code. */
export async function setUpAgents(parts: InitParts, names: readonly string[]): Promise<number> {
  const { terminal, options, home, user } = parts
  const { program } = terminal
  if (program === undefined)
    throw new PalimpsestError('usage', 'init does not know how this program was started')
  refuseUnasked(parts)
  const record = readRecord(home)
  const found = chosenAgents(names, user)
  if (found.length === 0)
    return say(
      terminal,
      `no agent found: install one of ${agents.map(({ id }) => id).join(', ')}`,
      1,
    )
  const questions = await questionsFor(parts)
  const chosen =
    names.length > 0 || questions === null ? found : await questions.agents(installedAgents(user))
  if (chosen === null || chosen.length === 0) return say(terminal, 'nothing was changed', 1)
  const inject =
    options.memory === true ||
    (await questions?.yes('Tell models what is remembered of you (memory.inject)?', false))
  if (inject === null) return say(terminal, 'nothing was changed', 1)
  const port = await chosenPort(parts, record)
  const service = options.service ? serviceManager(user) : null
  const plan = planInit({
    ...{ user, home, program, agents: chosen, port, service, record },
    isInjecting: inject === true,
  })
  const diff = diffLines([...plan.own, ...plan.files], terminal)
  const shown = [...diff, ...plan.notes.map((note) => `note: ${note}`)]
  if (options.dryRun) {
    await report(parts, plan, shown)
    return 0
  }
  if (plan.files.length === 0 && plan.own.length === 0) {
    await report(parts, plan, [...shown, ...doneLines(plan)])
    return plan.done.length > 0 ? 0 : 1
  }
  if (questions !== null) {
    questions.show(shown)
    if ((await questions.yes('Write these changes?', true)) !== true)
      return say(terminal, 'nothing was changed', 1)
  }
  await write(parts, plan, service, record)
  const state = await gatewayLines(plan, service, options)
  await report(parts, plan, [...(questions === null ? shown : []), ...doneLines(plan), ...state])
  return 0
}

/** The gateway runs before agents are pointed at it. */
async function write(
  { home, user }: InitParts,
  plan: InitPlan,
  service: ServiceManager | null,
  record: SetupRecord | undefined,
): Promise<void> {
  const { url, own, files } = plan
  const all = [...own, ...files]
  writeBackups(home, all)
  const names = new Set(all.map(({ file }) => file))
  const kept = (record?.files ?? []).filter(({ file }) => !names.has(file))
  const recordOf = (changed: readonly PlannedFile[]): SetupRecord => ({
    version: 1,
    url,
    at: new Date().toISOString(),
    files: [...kept, ...changed.map(({ current: _, ...file }) => file)],
  })
  // Written first: a process that is killed in the middle must not leave changes that nobody knows of.
  writeRecord(home, recordOf(all))
  try {
    writeFiles(own)
    if (service !== null && own.length > 0) await start(service, url)
    writeFiles(files)
  } catch (error) {
    if (record === undefined) service?.stop()
    for (const { file, current, existed } of own)
      restoreFile(file, current === '' && !existed ? null : current, user.home)
    writeRecord(home, record ?? null)
    throw error
  }
}

async function start(service: ServiceManager, url: string): Promise<void> {
  const problem = service.start()
  if (problem === null && (await waitForGateway(url, 15_000)) !== null) return
  throw new PalimpsestError(
    'usage',
    `the service did not start (${problem ?? 'nothing answers'}), so nothing was changed. \`${service.logCommand}\` says why; --no-service leaves it out.`,
  )
}

async function gatewayLines(
  { url }: InitPlan,
  service: ServiceManager | null,
  { service: isWanted }: InitOptions,
): Promise<readonly string[]> {
  const found = await probeGateway(url)
  if (found !== null && found !== 'other')
    return service === null
      ? [`a gateway runs at ${url}; start it again if its upstreams changed`]
      : [`the gateway runs at ${url}; its dashboard is there too`]
  const reason = isWanted ? 'there is no service manager here' : 'no service was set up'
  const port = new URL(url).port
  return [
    `the gateway does not run, because ${reason}: start \`palimpsest serve --port ${port}\` before your agents`,
  ]
}

function doneLines({ files, done }: InitPlan): readonly string[] {
  const ids = [...new Set(files.map(({ of }) => of))]
  const named = agents.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return [
    ...(named.length === 0 ? [] : [`set up: ${named.join(', ')}`]),
    ...(done.length === 0 ? [] : [`set up already: ${done.map(({ name }) => name).join(', ')}`]),
    '`palimpsest doctor` checks it, `palimpsest init --undo` takes it back',
  ]
}

async function undo(parts: InitParts, names: readonly string[]): Promise<number> {
  const { terminal, options, home, user } = parts
  const record = readRecord(home)
  if (record === undefined)
    return say(terminal, 'nothing is set up, so there is nothing to undo', 0)
  const ids = names.length === 0 ? [] : chosenAgents(names, user).map(({ id }) => id)
  const files = planUndo(record, ids)
  const shown = diffLines(
    files.map(({ file, current, restored }) => ({ file, current, written: restored ?? '' })),
    terminal,
  )
  if (options.dryRun) {
    await writeLines(terminal.out, shown)
    return 0
  }
  refuseUnasked(parts)
  const questions = await questionsFor(parts)
  questions?.show(shown)
  if (questions !== null && (await questions.yes('Take these changes back?', true)) !== true)
    return say(terminal, 'nothing was changed', 1)
  undoFiles(record, files, { home, userHome: user.home, service: serviceManager(user) })
  const lines = files.map(
    ({ file, restored }) => `${restored === null ? 'removed' : 'restored'} ${file}`,
  )
  if (options.json)
    await writeLines(terminal.out, [JSON.stringify({ files: files.map(({ file }) => file) })])
  else await writeLines(terminal.out, lines)
  return 0
}

async function report(
  { terminal, options }: InitParts,
  { url, files, own, notes }: InitPlan,
  lines: readonly string[],
): Promise<void> {
  if (options.quiet) return
  if (!options.json) return writeLines(terminal.out, lines)
  const ids = [...new Set(files.map(({ of }) => of))]
  const changed = [...own, ...files].map(({ file }) => file)
  await writeLines(terminal.out, [JSON.stringify({ url, agents: ids, files: changed, notes })])
}

function say(terminal: Terminal, line: string, code: number): number {
  writeNotice(terminal, line)
  return code
}

function refuseUnasked({ terminal, options }: InitParts): void {
  if (options.yes || options.dryRun || terminal.ask !== undefined) return
  throw new PalimpsestError(
    'usage',
    'init asks before it writes: run it in a terminal, or add --yes',
  )
}

async function questionsFor({ options }: InitParts) {
  if (options.yes || options.dryRun) return null
  const { terminalQuestions } = await import('./init-questions.ts')
  return terminalQuestions()
}

async function chosenPort(
  { options, terminal }: InitParts,
  record: SetupRecord | undefined,
): Promise<number> {
  if (options.port !== undefined) {
    const port = Number(options.port)
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new PalimpsestError('usage', `--port ${options.port} is not a port: use 1 to 65535`)
    if (options.service && record === undefined && !(await isFree(port)))
      throw new PalimpsestError('usage', `port ${port} is taken: choose another --port`)
    return port
  }
  if (record !== undefined || !options.service) return defaultPort
  const port = await nextFreePort(defaultPort)
  if (port === null)
    throw new PalimpsestError('usage', `ports from ${defaultPort} on are taken: give --port`)
  if (port !== defaultPort)
    writeNotice(terminal, `port ${defaultPort} is taken, so the gateway gets ${port}`)
  return port
}

/** Copies that people can find, beside those in the record. */
function writeBackups(home: string, files: readonly PlannedFile[]): void {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const folder = path.join(home, 'backups', stamp)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const { of, file, current, existed } of files)
      if (existed)
        writeFileSync(path.join(folder, `${of}-${path.basename(file)}`), current, { mode: 0o600 })
  } catch (cause) {
    throw new PalimpsestError(
      'configuration',
      `${folder}: cannot be written, so nothing was changed. Make it writable, or set PALIMPSEST_HOME to another folder.`,
      { cause },
    )
  }
}
