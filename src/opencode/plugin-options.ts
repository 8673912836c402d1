import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'
import { userConfigFolder } from '../config/user-folder.ts'
import { isJsonObject } from '../core/words/json.ts'
import { type StoreLocation, storeLocation } from '../store/location.ts'

/** What holds for the plugin in one project. */
export interface PluginOptions {
  readonly config: Config
  readonly store: StoreLocation
  /** Whether conversations that another one started are looked after as well. */
  readonly subAgents: boolean
}

export interface PluginPlace {
  /** The project's folder. */
  readonly directory: string
  /** What stands beside the plugin's name in `opencode.json`. */
  readonly given: unknown
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The configuration files, with what `opencode.json` gives put over them, key by key. `config` there names one more file: a path,
 * or `acp` or `dcp` for the file of that plugin.
 *
 * @throws PalimpsestError with code `configuration` or `usage`.
 */
export function pluginOptions({ directory, given, env }: PluginPlace): PluginOptions {
  const { config: named, ...keys } = isJsonObject(given) ? given : {}
  const home = userConfigFolder({ env, platform: process.platform, homedir: homedir() })
  const config = loadConfig({
    cwd: directory,
    home,
    openCodeFolders: openCodeFolders(env),
    ...(typeof named === 'string' ? { config: named } : {}),
    ...(Object.keys(keys).length === 0 ? {} : { text: JSON.stringify(keys) }),
  })
  const { store, subAgents = true } = config
  return {
    config,
    store: storeLocation({ chosen: store, home, cwd: directory }),
    subAgents,
  }
}

/** Where OpenCode and its plugins have their own files. */
function openCodeFolders(env: PluginPlace['env']): readonly string[] {
  const { OPENCODE_CONFIG_DIR: own, XDG_CONFIG_HOME: base } = env
  const usual = join(base ?? join(homedir(), '.config'), 'opencode')
  return own === undefined || own === '' ? [usual] : [own, usual]
}
