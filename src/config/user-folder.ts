import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export interface UserFolderOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  /** The user's home folder. */
  readonly homedir: string
}

/** The folder of the user's `palimpsest.jsonc`: `PALIMPSEST_HOME`, or else the platform's usual place. */
export function userConfigFolder(options: UserFolderOptions = thisProcess()): string {
  const chosen = options.env.PALIMPSEST_HOME
  if (chosen !== undefined && chosen !== '') return chosen
  return join(platformFolder(options), 'palimpsest')
}

function thisProcess(): UserFolderOptions {
  return { env: process.env, platform: process.platform, homedir: homedir() }
}

function platformFolder({ env, platform, homedir: home }: UserFolderOptions): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  // The XDG specification says to ignore a relative path.
  const shared = env.XDG_CONFIG_HOME ?? ''
  return isAbsolute(shared) ? shared : join(home, '.config')
}
