import type { Config } from '../config/config.ts'
import { type LoadOptions, loadConfig } from '../config/load.ts'
import { encryptionKey } from '../store/encryption-key.ts'
import { type StoreLocation, storeLocation } from '../store/location.ts'

/** The configuration, and the location of the store for sessions and memory. */
export interface Setup {
  readonly config: Config
  readonly location: StoreLocation
}

export interface SetupOptions extends LoadOptions {
  /** A file, a folder or a `postgres://` URL. Overrides `store` in the configuration. */
  readonly store?: string | undefined
}

/**
 * Reads the configuration and locates the store. Every entry point starts here.
 *
 * @throws PalimpsestError with code `configuration`, or `usage` for an invalid store location.
 */
export function readSetup(options: SetupOptions): Setup {
  const config = loadConfig(options)
  return { config, location: locationOf(config, options) }
}

/** The location of the store and its key, for a configuration that is already loaded. */
export function locationOf(
  { store: usual, encryption }: Pick<Config, 'store' | 'encryption'>,
  { store, home, cwd }: Pick<SetupOptions, 'store' | 'home' | 'cwd'>,
): StoreLocation {
  const location = storeLocation({ chosen: store ?? usual, home, cwd })
  if (location.kind === 'memory') return location
  const { env } = process
  const key = encryptionKey({ env, keyFile: encryption?.keyFile, folder: home ?? cwd })
  return key === undefined ? location : { ...location, key }
}
