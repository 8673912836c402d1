import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import { locationOf, type Setup } from '../session/setup.ts'
import { type OpenOptions, openStore, type Store, type StoreLocation } from '../store/index.ts'
import { type ConfigOptions, chosenConfig, configOption } from './chosen-config.ts'
import { seenStore } from './own-token.ts'
import type { Terminal } from './terminal.ts'

/** Command-line options that choose the configuration and the store. */
export interface SetupOptions extends ConfigOptions {
  readonly store?: string | undefined
}

/** Options of every command that opens a store. */
export function withStoreOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--store <path-or-url>',
        'a file, a folder or a postgres:// URL; default: `store` of the configuration, or the file in PALIMPSEST_HOME',
      ).env('PALIMPSEST_STORE'),
    )
    .option(...configOption)
}

/** The configuration of a command and the location of its store. */
export function chosenSetup(terminal: Terminal, options: SetupOptions): Setup {
  const { cwd, home } = terminal
  const config = chosenConfig(terminal, options)
  return { config, location: locationOf(config, { store: options.store, home, cwd }) }
}

interface UseOptions extends OpenOptions {
  readonly absent?: 'make'
  /** For commands about the store itself: also what belongs to others. */
  readonly whole?: true
}

/** Opens the store that the options name, uses it and closes it. A store that does not exist is not created. */
export async function withStore<Result>(
  terminal: Terminal,
  options: SetupOptions,
  use: (store: Store) => Promise<Result>,
  more: UseOptions = {},
): Promise<Result> {
  return useStore(terminal, chosenSetup(terminal, options).location, use, more)
}

/** Opens the store at a location, uses it and closes it. */
export async function useStore<Result>(
  terminal: Terminal,
  location: StoreLocation,
  use: (store: Store) => Promise<Result>,
  { absent, whole, ...options }: UseOptions = {},
): Promise<Result> {
  if (location.kind === 'memory') {
    throw new PalimpsestError('usage', 'a store in memory is empty: give a file or a URL')
  }
  if (absent !== 'make') refuseAbsent(location)
  const store = await openStore(location, { now: terminal.now, ...options })
  try {
    return await use(whole === true ? store : await seenStore(store, terminal.now()))
  } finally {
    await store.close()
  }
}

/** @throws PalimpsestError with code `store-unreachable` for a file that does not exist. */
export function refuseAbsent(location: StoreLocation): void {
  if (location.kind !== 'sqlite' || existsSync(location.path)) return
  throw new PalimpsestError(
    'store-unreachable',
    `nothing is recorded yet: there is no store at ${location.path}. \`palimpsest run\`, \`palimpsest serve\` and the OpenCode plugin create it; --store names another.`,
  )
}
