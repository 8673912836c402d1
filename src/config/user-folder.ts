import { isAbsolute, join } from 'node:path'

export interface UserFolderOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  /** The user's home folder. */
  readonly homedir: string
}

/** Where the user's `palimpsest.jsonc` stands: `PALIMPSEST_HOME`, or else the platform's usual place. */
export function userConfigFolder({ env, platform, homedir }: UserFolderOptions): string {
  const chosen = env.PALIMPSEST_HOME
  if (chosen !== undefined && chosen !== '') return chosen
  return join(platformFolder({ env, platform, homedir }), 'palimpsest')
}

function platformFolder({ env, platform, homedir }: UserFolderOptions): string {
  if (platform === 'win32') return env.APPDATA || join(homedir, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(homedir, 'Library', 'Application Support')
  // The specification tells to ignore a relative path.
  const shared = env.XDG_CONFIG_HOME ?? ''
  return isAbsolute(shared) ? shared : join(homedir, '.config')
}
