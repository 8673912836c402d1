import path from 'node:path'
import type { FileChange, UserSetup } from './agent.ts'

/** Variables in the file that the user's shell reads when it starts. */
export function shellProfile(
  { home, env }: UserSetup,
  values: Readonly<Record<string, string>>,
): FileChange {
  const shell = path.basename(env.SHELL ?? 'bash')
  const pairs = Object.entries(values)
  if (shell === 'fish') {
    const folder = path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'fish')
    const lines = pairs.map(([name, value]) => `set -gx ${name} '${value}'`)
    return {
      file: path.join(folder, 'config.fish'),
      change: { kind: 'block', at: 'end', lines },
    }
  }
  const lines = pairs.map(([name, value]) => `export ${name}='${value}'`)
  const name =
    shell === 'zsh' ? '.zshrc' : process.platform === 'darwin' ? '.bash_profile' : '.bashrc'
  const folder = shell === 'zsh' ? env.ZDOTDIR || home : home
  return { file: path.join(folder, name), change: { kind: 'block', at: 'end', lines } }
}
