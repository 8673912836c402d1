import { homedir } from 'node:os'
import { join } from 'node:path'
import { resolveSettings } from '../config/resolve.ts'
import { untrustedWarning } from '../config/trusted-folders.ts'
import { userConfigFolder } from '../config/user-folder.ts'
import { isJsonObject } from '../core/words/json.ts'
import type { Settings } from '../core/words/settings.ts'
import { readSetup, type Setup } from '../session/setup.ts'
import type { HostContext } from './host.ts'
import type { Notices } from './notices.ts'

/** The configuration of the plugin in this project. */
export interface PluginSetup extends Setup {
  readonly settings: Settings
}

/**
 * Reads the configuration; null when the plugin is switched off, or when the configuration has errors. Options beside the
 * plugin's name in `opencode.json` (`given`) override the configuration files key by key. Their `config` names one more
 * file: a path, or `acp` or `dcp` for the file of that plugin.
 */
export function readPluginSetup(
  { directory }: Pick<HostContext, 'directory'>,
  given: unknown,
  notices: Notices,
): PluginSetup | null {
  const { config: named, ...keys } = isJsonObject(given) ? given : {}
  try {
    const setup = readSetup({
      cwd: directory,
      home: userConfigFolder(),
      openCodeFolders: openCodeFolders(),
      ...(typeof named === 'string' ? { config: named } : {}),
      ...(Object.keys(keys).length === 0 ? {} : { text: JSON.stringify(keys) }),
    })
    const { warnings, untrusted = [] } = setup.config
    for (const warning of warnings) notices.log('warn', warning)
    for (const request of untrusted) notices.warn(untrustedWarning(request))
    const settings = resolveSettings(setup.config)
    return settings.enabled ? { ...setup, settings } : null
  } catch (problem) {
    notices.problem('the configuration has an error; nothing is pruned', problem)
    return null
  }
}

/** Where OpenCode and its plugins have their own files. */
function openCodeFolders(): readonly string[] {
  const { OPENCODE_CONFIG_DIR: own, XDG_CONFIG_HOME: base } = process.env
  const usual = join(base ?? join(homedir(), '.config'), 'opencode')
  return own === undefined || own === '' ? [usual] : [own, usual]
}
