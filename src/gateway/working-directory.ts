import type { Role } from '../core/words/item.ts'
import type { RequestRead } from '../formats/format.ts'

/** Codex, in a message of its own. */
const inEnvironment = /^\s*<environment_context>[\s\S]*?<cwd>([^<\n]+)<\/cwd>/

const patterns: readonly RegExp[] = [
  /<cwd>([^<\n]+)<\/cwd>/,
  // Claude Code, OpenCode, Pi and most others, in their system prompts.
  /working directory(?: is)?:?\s*`?((?:\/|~\/|[A-Za-z]:[\\/])[^\n`"\\<]*)/i,
]

/** How many of the first messages may say it. */
const sample = 4

/**
 * The folder that an agent says it works in, or null when it does not say. Other words of the user do not count: a project's
 * own instructions stand there, and could name the folder of another project.
 */
export function workingDirectoryIn({
  prefix,
  messages,
}: Pick<RequestRead, 'prefix' | 'messages'>): string | null {
  const first = messages.slice(0, sample)
  const textsOf = (roles: readonly Role[]): readonly string[] =>
    first
      .filter(({ role }) => roles.includes(role))
      .flatMap(({ items }) => items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])))
  const system = [prefix.system.replaceAll('\\n', '\n'), ...textsOf(['system', 'developer'])]
  return firstMatch(patterns, system) ?? firstMatch([inEnvironment], textsOf(['user', 'developer']))
}

function firstMatch(searched: readonly RegExp[], texts: readonly string[]): string | null {
  for (const pattern of searched) {
    for (const text of texts) {
      const found = pattern.exec(text)?.[1]?.trim()
      if (found !== undefined && found !== '') return found
    }
  }
  return null
}
