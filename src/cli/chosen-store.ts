import { existsSync } from 'node:fs'
import { loadConfig } from '../config/load.ts'
import { PalimpsestError } from '../core/errors.ts'
import {
  type OpenOptions,
  openStore,
  type Store,
  type StoreLocation,
  storeLocation,
} from '../store/index.ts'
import type { Terminal } from './terminal.ts'

export const storeOption: readonly [flags: string, description: string] = [
  '--store <path-or-url>',
  'a file, a folder or a postgres:// URL; without it, `store` of the configuration, or the one in PALIMPSEST_HOME',
]

/** Where the store is that an option names, or else the configuration. */
export function chosenLocation(terminal: Terminal, option: string | undefined): StoreLocation {
  const { cwd, home } = terminal
  const chosen = option ?? loadConfig(terminal).store
  return storeLocation({ chosen, home, cwd })
}

/** Opens the store that an option names, has it used, and closes it. One that is not there is not made. */
export async function withStore<Result>(
  terminal: Terminal,
  chosen: string | undefined,
  use: (store: Store) => Promise<Result>,
  options: OpenOptions & { readonly absent?: 'make' } = {},
): Promise<Result> {
  const location = chosenLocation(terminal, chosen)
  if (location.kind === 'memory') {
    throw new PalimpsestError('usage', 'a store in memory is empty: give a file or a URL')
  }
  if (location.kind === 'sqlite' && options.absent !== 'make' && !existsSync(location.path)) {
    throw new PalimpsestError(
      'store-unreachable',
      `there is no store at ${location.path}: \`palimpsest serve\` and the OpenCode plugin make it, and --store names another`,
    )
  }
  const store = await openStore(location, { now: terminal.now, ...options })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
