import path from 'node:path'
import { userConfigFolder } from '../config/user-folder.ts'

/** The file that holds the user's memory, in `PALIMPSEST_HOME` or the platform's usual place. */
export function defaultMemoryFile(): string {
  const { env, platform } = process
  const homedir = env.HOME ?? env.USERPROFILE ?? '.'
  return path.join(userConfigFolder({ env, platform, homedir }), 'palimpsest.db')
}
