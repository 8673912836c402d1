/** Configuration files, for programs that read `palimpsest.jsonc` as the gateway does. */
export type { Config, ConfigFile, PresetName } from './config.ts'
export { type LoadOptions, loadConfig } from './load.ts'
export { createProtection } from './protection.ts'
export { resolveSettings } from './resolve.ts'
