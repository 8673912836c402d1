import { resolveSettings } from '../config/resolve.ts'
import { untrustedWarning } from '../config/trusted-folders.ts'
import type { Settings } from '../core/words/settings.ts'
import type { HostContext } from './host.ts'
import type { Notices } from './notices.ts'
import { type PluginOptions, pluginOptions } from './plugin-options.ts'

/** What the user wants of the plugin in this project. */
export interface ChosenSettings {
  readonly options: PluginOptions
  readonly settings: Settings
}

/** null when nothing is to be done: switched off, or a configuration that nobody understands. */
export function chosenSettings(
  { directory }: Pick<HostContext, 'directory'>,
  given: unknown,
  notices: Notices,
): ChosenSettings | null {
  try {
    const options = pluginOptions({ directory, given, env: process.env })
    const { warnings, untrusted = [] } = options.config
    for (const warning of warnings) notices.log('warn', warning)
    for (const request of untrusted) notices.warn(untrustedWarning(request))
    const settings = resolveSettings(options.config)
    return settings.enabled ? { options, settings } : null
  } catch (problem) {
    notices.problem('the configuration is not understood; nothing is pruned', problem)
    return null
  }
}
