import { existsSync } from 'node:fs'
import { PalimpsestError } from '../core/errors.ts'
import { type OpenOptions, openStore, type Store, storeLocation } from '../store/index.ts'
import type { Terminal } from './terminal.ts'

export const storeOption: readonly [flags: string, description: string] = [
  '--store <path-or-url>',
  'a file, a folder or a postgres:// URL; without it, the store in PALIMPSEST_HOME',
]

/** Opens the store that an option names, has it used, and closes it. One that is not there is not made. */
export async function withStore<Result>(
  terminal: Terminal,
  chosen: string | undefined,
  use: (store: Store) => Promise<Result>,
  options: OpenOptions & { readonly absent?: 'make' } = {},
): Promise<Result> {
  const { cwd, home } = terminal
  const location = storeLocation({ chosen, home, cwd })
  if (location.kind === 'memory') {
    throw new PalimpsestError('usage', 'a store in memory is empty: give a file or a URL')
  }
  if (location.kind === 'sqlite' && options.absent !== 'make' && !existsSync(location.path)) {
    throw new PalimpsestError('store-unreachable', `there is no store at ${location.path}`)
  }
  const store = await openStore(location, { now: terminal.now, ...options })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
