import { homedir } from 'node:os'
import type { Config } from '../config/config.ts'
import { resolveSettings } from '../config/resolve.ts'
import { userConfigFolder } from '../config/user-folder.ts'
import { storeLocation } from '../store/location.ts'
import type { ChosenSettings } from './chosen-settings.ts'
import type { HostContext } from './host.ts'

/** What holds where nobody has said anything: what reads a configuration need not be loaded. */
export function usualSettings({ directory }: Pick<HostContext, 'directory'>): ChosenSettings {
  const { env, platform } = process
  const home = userConfigFolder({ env, platform, homedir: homedir() })
  const config: Config = { toolMappings: [], warnings: [] }
  return {
    options: {
      config,
      store: storeLocation({ home, cwd: directory }),
      subAgents: true,
    },
    settings: resolveSettings(config),
  }
}
