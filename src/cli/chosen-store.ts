import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import {
  type OpenOptions,
  openStore,
  type Store,
  type StoreLocation,
  storeLocation,
} from '../store/index.ts'
import { type ConfigOptions, chosenConfig, configOption } from './chosen-config.ts'
import type { Terminal } from './terminal.ts'

/** What a command line may say about configuration and store. */
export interface SetupOptions extends ConfigOptions {
  readonly store?: string | undefined
}

/** Options of every command that opens a store. */
export function withStoreOptions(command: Command): Command {
  return command
    .option(
      '--store <path-or-url>',
      'a file, a folder or a postgres:// URL; without it, `store` of the configuration, or the one in PALIMPSEST_HOME',
    )
    .option(...configOption)
}

export interface Setup {
  readonly config: Config
  readonly location: StoreLocation
}

/** The configuration that holds for a command, and where its store is. Every command that opens a store asks here. */
export function chosenSetup(terminal: Terminal, options: SetupOptions): Setup {
  const { cwd, home } = terminal
  const config = chosenConfig(terminal, options)
  return { config, location: storeLocation({ chosen: options.store ?? config.store, home, cwd }) }
}

interface UseOptions extends OpenOptions {
  readonly absent?: 'make'
}

/** Opens the store that the options name, has it used, and closes it. One that is not there is not made. */
export async function withStore<Result>(
  terminal: Terminal,
  options: SetupOptions,
  use: (store: Store) => Promise<Result>,
  more: UseOptions = {},
): Promise<Result> {
  return useStore(terminal, chosenSetup(terminal, options).location, use, more)
}

/** The same for a location that is known already. */
export async function useStore<Result>(
  terminal: Terminal,
  location: StoreLocation,
  use: (store: Store) => Promise<Result>,
  { absent, ...options }: UseOptions = {},
): Promise<Result> {
  if (location.kind === 'memory') {
    throw new PalimpsestError('usage', 'a store in memory is empty: give a file or a URL')
  }
  if (absent !== 'make') refuseAbsent(location)
  const store = await openStore(location, { now: terminal.now, ...options })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** @throws PalimpsestError with code `store-unreachable` for a file that is not there. */
export function refuseAbsent(location: StoreLocation): void {
  if (location.kind !== 'sqlite' || existsSync(location.path)) return
  throw new PalimpsestError(
    'store-unreachable',
    `there is no store at ${location.path}: \`palimpsest serve\` and the OpenCode plugin make it, and --store names another`,
  )
}
