import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { openLog } from '../memory/log/open-log.ts'
import { Memory } from '../memory/memory.ts'
import type { Place } from '../memory/observe.ts'
import { refuseUnmakeable } from '../store/sqlite/private-file.ts'
import { chosenSetup, type Setup, type SetupOptions, withStoreOptions } from './chosen-store.ts'
import type { Terminal } from './terminal.ts'

/** Options that every memory command takes. */
export interface MemoryOptions extends SetupOptions {
  readonly project?: string
  readonly session?: string
  readonly json?: true
}

export function withMemoryOptions(command: Command): Command {
  return withStoreOptions(command)
    .option('--project <folder-or-name>', 'project to use; default: this folder')
    .option('--session <id>', 'session to use')
    .option('--json', 'print JSON')
}

export interface OpenedMemory extends Setup {
  readonly memory: Memory
  readonly place: Place
}

/** Opens the memory of a setup; whoever does it closes it. Whoever only looks makes no file. */
export async function openMemory(
  terminal: Terminal,
  setup: Setup,
  options: Pick<MemoryOptions, 'project' | 'session'>,
  absent: 'make' | 'empty' = 'make',
): Promise<OpenedMemory> {
  const { location } = setup
  const isAbsent = location.kind === 'sqlite' && !existsSync(location.path)
  const isEmpty = isAbsent && absent === 'empty'
  if (isEmpty) refuseUnmakeable(location.path)
  const memory = new Memory({
    log: await openLog(isEmpty ? { kind: 'memory' } : location),
    now: () => terminal.now(),
    newId: (kind) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 16)}`,
  })
  const place = {
    project: projectName(options.project, terminal.cwd),
    session: options.session ?? `cli-${randomUUID()}`,
  }
  return { ...setup, memory, place }
}

/** A project is known by its whole path, or by a name that is no path. */
export function projectName(given: string | undefined, cwd: string): string {
  if (given === undefined) return cwd
  const isPath = path.isAbsolute(given) || /^\.{1,2}(?:[/\\]|$)/.test(given)
  return isPath ? path.resolve(cwd, given) : given
}

/** Opens the memory that the options name, lets the work be done, and closes it. */
export async function withMemory<Result>(
  terminal: Terminal,
  options: MemoryOptions,
  work: (opened: OpenedMemory) => Result | Promise<Result>,
  absent: 'make' | 'empty' = 'make',
): Promise<Result> {
  const opened = await openMemory(terminal, chosenSetup(terminal, options), options, absent)
  try {
    const result = await work(opened)
    await opened.memory.save()
    return result
  } finally {
    opened.memory.close()
  }
}

/** The same for who only looks: where nothing was kept yet, nothing is remembered. */
export function lookIntoMemory<Result>(
  terminal: Terminal,
  options: MemoryOptions,
  work: (opened: OpenedMemory) => Result | Promise<Result>,
): Promise<Result> {
  return withMemory(terminal, options, work, 'empty')
}
