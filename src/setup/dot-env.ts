import type { FileChange, UserSetup } from './agent.ts'

/** The last value of a variable in a `.env` file. */
export function valueInDotEnv(text: string, name: string): string | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/.exec(line))
  const value = lines.findLast((found) => found?.[1] === name)?.[2]?.trim()
  const bare = value?.replace(/^(["'`])(.*)\1.*$/, '$2').replace(/^([^"'`]\S*)\s+#.*$/, '$1')
  return bare === '' ? undefined : bare
}

/** Variables at the end of the file, where they win over earlier ones. */
export function dotEnvBlock(file: string, values: Readonly<Record<string, string>>): FileChange {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}`)
  return { file, change: { kind: 'block', at: 'end', lines } }
}

/** Variables of the shell win over those of a `.env` file. */
export function shellNotes(user: UserSetup, names: readonly string[]): readonly string[] {
  return names
    .filter((name) => user.env[name])
    .map((name) => `${name} is set in your shell, which wins over the file: remove it there`)
}
