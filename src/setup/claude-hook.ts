import { shellWord } from '../core/words/shell-word.ts'
import type { CommandServer, FileChange, UserSetup } from './agent.ts'
import { settingsFile } from './claude-code.ts'
import { anyElement } from './json-edit.ts'
import { jsonChange } from './json-settings.ts'

/** Whose files these are in the record of `init`. */
export const hookOwner = 'hooks'

/** For users of Claude Code who want no gateway: shortens large outputs of commands before the model gets them. */
export function hookChange(user: UserSetup, { command, env }: CommandServer): FileChange {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`)
  const words = [...variables, ...command.map(shellWord), 'hook']
  const hook = { type: 'command', command: words.join(' '), timeout: 15 }
  const value = { matcher: 'Bash', hooks: [hook] }
  return jsonChange(settingsFile(user), [{ path: ['hooks', 'PostToolUse', anyElement], value }])
}
