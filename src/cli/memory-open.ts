import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import type { Memory } from '../memory/memory.ts'
import type { Place } from '../memory/observe.ts'
import { openMemory as openMemoryAt } from '../session/environment.ts'
import type { Resource } from '../session/resource.ts'
import type { Setup } from '../session/setup.ts'
import { openStore, type StoreLocation } from '../store/index.ts'
import { refuseUncreatable } from '../store/sqlite/private-file.ts'
import { chosenSetup, type SetupOptions, withStoreOptions } from './chosen-store.ts'
import { hasOwnToken, ownerOf } from './own-token.ts'
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

/** Opens the memory; the caller closes it. With `empty`, a missing file is not created. */
export async function openMemory(
  terminal: Terminal,
  setup: Setup,
  options: Pick<MemoryOptions, 'project' | 'session'>,
  absent: 'make' | 'empty' = 'make',
): Promise<OpenedMemory> {
  const { location } = setup
  const isAbsent = location.kind === 'sqlite' && !existsSync(location.path)
  const isEmpty = isAbsent && absent === 'empty'
  if (isEmpty) refuseUncreatable(location.path)
  const owner = isEmpty ? null : await ownerAt(terminal, location)
  const at: StoreLocation = isEmpty ? { kind: 'memory' } : location
  const memory = await openMemoryAt(at, () => terminal.now(), owner)
  const place = {
    project: projectName(options.project, terminal.cwd),
    session: options.session ?? `cli-${randomUUID()}`,
  }
  return { ...setup, memory, place }
}

/** Only a command with a named token has to look it up. */
async function ownerAt(terminal: Terminal, location: StoreLocation): Promise<string | null> {
  if (!hasOwnToken()) return null
  const store = await openStore(location, { now: terminal.now })
  try {
    return await ownerOf(store, terminal.now())
  } finally {
    await store.close()
  }
}

/** A project is identified by its absolute path, or by a name that is not a path. */
export function projectName(given: string | undefined, cwd: string): string {
  if (given === undefined) return cwd
  const isPath = path.isAbsolute(given) || /^\.{1,2}(?:[/\\]|$)/.test(given)
  return isPath ? path.resolve(cwd, given) : given
}

/** Opens the memory that the options name, runs the work, saves, and closes it. */
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

/** Lends a memory with what other processes wrote, and saves what the work changed. */
export function withSaved<Result>(
  memory: Resource<Memory>,
  work: (memory: Memory) => Result | Promise<Result>,
): Promise<Result> {
  return memory.use(async (opened) => {
    await opened.save()
    const result = await work(opened)
    await opened.save()
    return result
  })
}
