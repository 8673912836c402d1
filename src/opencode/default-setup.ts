import type { Config } from '../config/config.ts'
import { resolveSettings } from '../config/resolve.ts'
import { userConfigFolder } from '../config/user-folder.ts'
import { storeLocation } from '../store/location.ts'
import type { HostContext } from './host.ts'
import type { PluginSetup } from './plugin-setup.ts'

/** The setup without any configuration. It needs no configuration reader, which takes 100 ms to load. */
export function defaultSetup({ directory }: Pick<HostContext, 'directory'>): PluginSetup {
  const config: Config = { toolMappings: [], warnings: [] }
  return {
    config,
    location: storeLocation({ home: userConfigFolder(), cwd: directory }),
    settings: resolveSettings(config),
  }
}
