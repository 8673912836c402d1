import { homedir } from 'node:os'
import { type TriggerLimits, usualTriggers } from '../agent/triggers.ts'
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'
import { userConfigFolder } from '../config/user-folder.ts'
import { isJsonObject } from '../formats/json-value.ts'
import { type StoreLocation, storeLocation } from '../store/location.ts'

/** What holds for the plugin in one project. */
export interface PluginOptions {
  readonly config: Config
  readonly store: StoreLocation
  /** Whether conversations that another one started are looked after as well. */
  readonly subAgents: boolean
  /** From which sizes on old work is pruned under `acp`, and the agent advised elsewhere. */
  readonly triggers: TriggerLimits
}

export interface PluginPlace {
  /** The project's folder. */
  readonly directory: string
  /** What stands beside the plugin's name in `opencode.json`. */
  readonly given: unknown
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The configuration files, with what `opencode.json` gives put over them. `subAgents`, `store` and `triggers` are the plugin's own;
 * every other key is one of `palimpsest.jsonc`.
 *
 * @throws PalimpsestError with code `configuration` or `usage`.
 */
export function pluginOptions({ directory, given, env }: PluginPlace): PluginOptions {
  const { subAgents, store, triggers, ...keys } = isJsonObject(given) ? given : {}
  const home = userConfigFolder({ env, platform: process.platform, homedir: homedir() })
  const config = loadConfig({
    cwd: directory,
    home,
    ...(Object.keys(keys).length === 0 ? {} : { text: JSON.stringify(keys) }),
  })
  const chosen = typeof store === 'string' ? store : undefined
  return {
    config,
    store: storeLocation({ chosen, home, cwd: directory }),
    subAgents: subAgents !== false,
    triggers: triggersIn(triggers),
  }
}

function triggersIn(given: unknown): TriggerLimits {
  const named = isJsonObject(given) ? given : {}
  const limit = (key: keyof TriggerLimits): number => {
    const value = named[key]
    return typeof value === 'number' && value > 0 ? value : usualTriggers[key]
  }
  return {
    historicalTokens: limit('historicalTokens'),
    aggressiveTokens: limit('aggressiveTokens'),
    thinkingTokens: limit('thinkingTokens'),
  }
}
