import type { Config } from '../config/config.ts'
import { type LoadOptions, loadConfig } from '../config/load.ts'
import { type StoreLocation, storeLocation } from '../store/location.ts'

/** The configuration that holds, and where sessions and memory are kept. */
export interface Setup {
  readonly config: Config
  readonly location: StoreLocation
}

export interface SetupOptions extends LoadOptions {
  /** A file, a folder or a `postgres://` URL that takes the place of `store` in the configuration. */
  readonly store?: string | undefined
}

/**
 * Reads the configuration and finds the store. Every door starts here.
 *
 * @throws PalimpsestError with code `configuration`, or `usage` for a store that cannot be.
 */
export function readSetup(options: SetupOptions): Setup {
  const config = loadConfig(options)
  return { config, location: locationOf(config, options) }
}

/** Where the store is, for a configuration that was read before. */
export function locationOf(
  config: Pick<Config, 'store'>,
  { store, home, cwd }: Pick<SetupOptions, 'store' | 'home' | 'cwd'>,
): StoreLocation {
  return storeLocation({ chosen: store ?? config.store, home, cwd })
}
