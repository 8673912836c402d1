import path from 'node:path'
import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import type { UserSetup } from '../setup/agent.ts'
import { agents } from '../setup/agents.ts'
import { hookOwner } from '../setup/claude-hook.ts'
import { serviceManager } from '../setup/service.ts'
import { readRecord, type SetupRecord } from '../setup/setup-record.ts'
import { defaultPort, isFree, nextFreePort } from './free-port.ts'
import {
  chosenAgents,
  diffLines,
  installedAgents,
  planHook,
  planInit,
  withoutHooked,
} from './init-plan.ts'
import { planUndo, undoFiles } from './init-undo.ts'
import { carryOut, say } from './init-write.ts'
import { yesOption } from './person-consent.ts'
import { type Terminal, writeLines, writeNotice, writeResult } from './terminal.ts'

export interface InitOptions {
  readonly undo?: true
  readonly dryRun?: true
  readonly yes?: true
  readonly port?: string
  readonly service: boolean
  readonly memory?: true
  readonly hooks?: true
  readonly json?: true
  /** Print nothing. */
  readonly quiet?: true
}

export function initCommand(terminal: Terminal, finish: (code: number) => void): Command {
  return new Command('init')
    .description('set up agents to go through the gateway for good, and a service that runs it')
    .argument('[agents...]', `${agents.map(({ id }) => id).join(', ')}; default: those found`)
    .option('--undo', 'undo everything, even if you have edited the files since')
    .option('--dry-run', 'show what would change, and change nothing')
    .option(...yesOption)
    .option('--port <number>', `port of the gateway; default: ${defaultPort}, or the next free one`)
    .option('--no-service', 'do not set up a service; keep `palimpsest serve` running yourself')
    .option('--memory', 'also give models the memory of you and the project (memory.inject)')
    .option('--hooks', 'no gateway: only a hook of Claude Code that shortens large outputs')
    .option('--json', 'print one JSON value: {url, agents, files, notes}')
    .addHelpText(
      'after',
      `
Shows each change as a diff and asks before it writes. If an agent already uses another address, the gateway forwards
its requests there. Copies of all files are kept in PALIMPSEST_HOME until the undo.

Examples:
  palimpsest init
  palimpsest init claude codex --yes
  palimpsest init --dry-run
  palimpsest init --hooks
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
  if (options.hooks) {
    if (names.some((name) => name !== 'claude'))
      throw new PalimpsestError('usage', '--hooks is for Claude Code alone: leave out other agents')
    if (!installedAgents(user).some(({ id }) => id === 'claude'))
      return say(
        terminal,
        'there is no Claude Code here: npm install -g @anthropic-ai/claude-code',
        1,
      )
    const plan = planHook({ user, home, program, record })
    return carryOut(parts, plan, { service: null, record, questions: await questionsFor(parts) })
  }
  const { agents: found, notes } = withoutHooked(chosenAgents(names, user), record)
  for (const note of notes) writeNotice(terminal, note)
  if (found.length === 0)
    return say(
      terminal,
      `no agent found: install one of ${agents.map(({ id }) => id).join(', ')}`,
      1,
    )
  const questions = await questionsFor(parts)
  const chosen = names.length > 0 || questions === null ? found : await questions.agents(found)
  if (chosen === null || chosen.length === 0) return say(terminal, 'nothing was changed', 1)
  const inject =
    options.memory === true ||
    (await questions?.yes('Give models the memory of you and the project (memory.inject)?', false))
  if (inject === null) return say(terminal, 'nothing was changed', 1)
  const port = await chosenPort(parts, record)
  const service = options.service ? serviceManager(user) : null
  const plan = planInit({
    ...{ user, home, program, agents: chosen, port, service, record },
    isInjecting: inject === true,
  })
  return carryOut(parts, plan, { service, record, questions })
}

async function undo(parts: InitParts, names: readonly string[]): Promise<number> {
  const { terminal, options, home, user } = parts
  const record = readRecord(home)
  if (record === undefined)
    return say(terminal, 'nothing is set up, so there is nothing to undo', 0)
  const named = names.length === 0 ? [] : chosenAgents(names, user).map(({ id }) => id)
  const ids = [...named, ...(options.hooks || named.includes('claude') ? [hookOwner] : [])]
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
  if (questions !== null && (await questions.yes('Undo these changes?', true)) !== true)
    return say(terminal, 'nothing was changed', 1)
  undoFiles(record, files, { home, userHome: user.home, service: serviceManager(user) })
  const lines = files.map(
    ({ file, restored }) => `${restored === null ? 'removed' : 'restored'} ${file}`,
  )
  await writeResult(terminal, options, { files: files.map(({ file }) => file) }, lines)
  return 0
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
    if (options.service && typeof record?.url !== 'string' && !(await isFree(port)))
      throw new PalimpsestError('usage', `port ${port} is taken: choose another --port`)
    return port
  }
  if (typeof record?.url === 'string' || !options.service) return defaultPort
  const port = await nextFreePort(defaultPort)
  if (port === null)
    throw new PalimpsestError('usage', `ports from ${defaultPort} on are taken: give --port`)
  if (port !== defaultPort)
    writeNotice(terminal, `port ${defaultPort} is taken, so the gateway uses ${port}`)
  return port
}
