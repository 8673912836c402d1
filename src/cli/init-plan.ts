import { existsSync } from 'node:fs'
import path from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { PalimpsestError } from '../core/words/errors.ts'
import { withoutSecrets } from '../core/words/secrets.ts'
import type { Agent, CommandServer, UserSetup } from '../setup/agent.ts'
import { agents } from '../setup/agents.ts'
import { isApplied, type PlannedFile, planFiles } from '../setup/changed-files.ts'
import { hookChange, hookOwner } from '../setup/claude-hook.ts'
import { findProgram } from '../setup/find-program.ts'
import { jsonChange } from '../setup/json-settings.ts'
import { createRerouting } from '../setup/reroute.ts'
import type { ServiceManager } from '../setup/service.ts'
import type { ChangedFile, SetupRecord } from '../setup/setup-record.ts'
import type { Terminal } from './terminal.ts'

export interface InitPlan {
  /** The gateway's address; null when only the hook is set up. */
  readonly url: string | null
  /** The gateway's own configuration and its service, which come first. */
  readonly own: readonly PlannedFile[]
  /** Files of agents. */
  readonly files: readonly PlannedFile[]
  readonly notes: readonly string[]
  /** The names of what is set up already. */
  readonly done: readonly string[]
}

export interface PlanOptions {
  readonly user: UserSetup
  /** The folder of our configuration. */
  readonly home: string
  readonly program: readonly string[]
  readonly agents: readonly Agent[]
  readonly port: number
  readonly isInjecting: boolean
  readonly service: ServiceManager | null
  readonly record: SetupRecord | undefined
}

/** @throws PalimpsestError with code `configuration` for a file that cannot be changed. */
export function planInit(options: PlanOptions): InitPlan {
  const { user, home, record, service } = options
  const url = record?.url ?? `http://127.0.0.1:${options.port}`
  const recorded = record?.files ?? []
  const gateway = createRerouting(url)
  const { command, env } = ownCommand(options)
  const mcp: CommandServer = { command: [...command, 'mcp'], env }
  const isDone = ({ id }: Agent): boolean => {
    const files = recorded.filter(({ of }) => of === id)
    return files.length > 0 && files.every(isApplied)
  }
  const files: PlannedFile[] = []
  const notes: string[] = []
  for (const agent of options.agents.filter((each) => !isDone(each))) {
    const kept = agent.keep({ ...user, gateway, mcp })
    notes.push(...(kept.notes ?? []).map((note) => `${agent.name}: ${note}`))
    files.push(...planFiles(agent.id, kept.changes, recordedFor(recorded, agent)))
  }
  const settings = [
    ...Object.entries(gateway.upstreams).map(([name, value]) => ({
      path: ['upstreams', name],
      value,
    })),
    ...(options.isInjecting ? [{ path: ['memory', 'inject'], value: true }] : []),
  ]
  const file = path.join(home, 'palimpsest.jsonc')
  const serve = [...command, 'serve', '--port', new URL(url).port, '--quiet']
  const unit = service?.unit({ command: serve, env })
  const own = [
    ...(settings.length === 0
      ? []
      : planFiles('palimpsest', [jsonChange(file, settings)], recorded)),
    ...(unit === undefined || recorded.some(({ of }) => of === 'service')
      ? []
      : planFiles('service', [unit], recorded)),
  ]
  return { url, own, files, notes, done: options.agents.filter(isDone).map(({ name }) => name) }
}

type HookOptions = Pick<PlanOptions, 'user' | 'home' | 'program' | 'record'>

/** Only the hook of Claude Code, which needs no gateway. */
export function planHook(options: HookOptions): InitPlan {
  const { user, record } = options
  const recorded = record?.files ?? []
  if (recorded.some(({ of }) => of === 'claude'))
    throw new PalimpsestError(
      'usage',
      'Claude Code goes through the gateway already, which does more than the hook. To change: palimpsest init --undo claude && palimpsest init --hooks',
    )
  const own = recorded.filter(({ of }) => of === hookOwner)
  const isDone = own.length > 0 && own.every(isApplied)
  const before = recorded.filter((each) => each.of !== hookOwner)
  const change = hookChange(user, ownCommand(options))
  return {
    url: record?.url ?? null,
    own: [],
    files: isDone ? [] : planFiles(hookOwner, [change], before),
    notes: [],
    done: isDone ? [hookName] : [],
  }
}

export const hookName = 'the hook of Claude Code'

/** Changes that the user removed by hand are made again, on the file as it is now. */
function recordedFor(recorded: readonly ChangedFile[], { id }: Agent): readonly ChangedFile[] {
  return recorded.filter((each) => each.of !== id || isApplied(each))
}

/** How this program is started, also by a service that has another environment. */
function ownCommand({ program, home, user }: HookOptions): CommandServer {
  const { PALIMPSEST_HOME: chosen } = user.env
  return { command: program, env: chosen ? { PALIMPSEST_HOME: path.resolve(user.cwd, home) } : {} }
}

/** Agents that may be pointed at the gateway: not Claude Code with the hook, which would be shortened twice. */
export function withoutHooked(
  found: readonly Agent[],
  record: SetupRecord | undefined,
): { readonly agents: readonly Agent[]; readonly notes: readonly string[] } {
  const isHooked = record?.files.some(({ of }) => of === hookOwner) === true
  const kept = found.filter(({ id }) => !isHooked || id !== 'claude')
  const note =
    'Claude Code has the hook and is left as it is; `palimpsest init --undo --hooks` takes the hook out'
  return { agents: kept, notes: kept.length < found.length ? [note] : [] }
}

/** The agents that the user named, or those that this machine has. */
export function chosenAgents(names: readonly string[], user: UserSetup): readonly Agent[] {
  if (names.length === 0) return installedAgents(user)
  return names.map((name) => {
    const found = agents.find((each) => each.id === name || each.name.toLowerCase() === name)
    if (found !== undefined) return found
    const known = agents.map(({ id }) => id).join(', ')
    throw new PalimpsestError('usage', `there is no agent ${name}. Use one of: ${known}`)
  })
}

export function installedAgents(user: UserSetup): readonly Agent[] {
  return agents.filter(
    (agent) => findProgram(agent.id, user.env, user.cwd) !== null || existsSync(agent.folder(user)),
  )
}

/** What changes in each file, as a diff. Keys of providers are hidden. */
export function diffLines(
  files: readonly Pick<PlannedFile, 'file' | 'current' | 'written'>[],
  { colors }: Pick<Terminal, 'colors'>,
): readonly string[] {
  return files.flatMap(({ file, current, written }) => {
    if (current === written) return []
    const patch = createTwoFilesPatch(file, file, current, written, '', '', { context: 1 })
    const lines = patch
      .split('\n')
      .filter((line) => !/^(?:Index: .*|=+|--- .*|\+\+\+ .*|\\ .*|)$/.test(line))
    return [
      colors.bold(file),
      ...lines.map(withoutSecrets).map((line) => {
        if (line.startsWith('+')) return `  ${colors.green(line)}`
        return `  ${line.startsWith('-') ? colors.red(line) : colors.dim(line)}`
      }),
      '',
    ]
  })
}
