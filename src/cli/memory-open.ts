import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { openLog } from '../memory/log/open-log.ts'
import { Memory } from '../memory/memory.ts'
import type { Place } from '../memory/observe.ts'
import { chosenLocation } from './chosen-store.ts'
import type { Terminal } from './terminal.ts'

/** Options that every memory command takes. */
export interface MemoryOptions {
  readonly store?: string
  readonly project?: string
  readonly session?: string
  readonly json?: true
}

export function withMemoryOptions(command: Command): Command {
  return command
    .option(
      '--store <path>',
      'the store: a file, a folder or a postgres:// URL; the user’s own when left out',
    )
    .option('--project <name>', 'the project whose items are meant; this folder when left out')
    .option('--session <id>', 'the session whose items are meant')
    .option('--json', 'print JSON')
}

export interface OpenedMemory {
  readonly memory: Memory
  readonly place: Place
}

/** Opens the memory that the options name; whoever does it closes it. Whoever only looks makes no file. */
export async function openMemory(
  terminal: Terminal,
  options: MemoryOptions,
  absent: 'make' | 'empty' = 'make',
): Promise<OpenedMemory> {
  const location = chosenLocation(terminal, options.store)
  const isAbsent = location.kind === 'sqlite' && !existsSync(location.path)
  const memory = new Memory({
    log: await openLog(isAbsent && absent === 'empty' ? { kind: 'memory' } : location),
    now: () => terminal.now(),
    newId: (kind) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 16)}`,
  })
  const place = {
    project: options.project ?? terminal.cwd,
    session: options.session ?? `cli-${randomUUID()}`,
  }
  return { memory, place }
}

/** Opens the memory that the options name, lets the work be done, and closes it. */
export async function withMemory<Result>(
  terminal: Terminal,
  options: MemoryOptions,
  work: (opened: OpenedMemory) => Result | Promise<Result>,
  absent: 'make' | 'empty' = 'make',
): Promise<Result> {
  const opened = await openMemory(terminal, options, absent)
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
