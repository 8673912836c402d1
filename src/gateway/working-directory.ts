import type { RequestRead } from '../formats/format.ts'

const patterns: readonly RegExp[] = [
  // Codex, in its first messages.
  /<cwd>([^<\n]+)<\/cwd>/,
  // Claude Code, OpenCode, Pi and most others, in their system prompts.
  /working directory(?: is)?:?\s*`?((?:\/|~\/|[A-Za-z]:[\\/])[^\n`"\\<]*)/i,
]

/** How many of the first messages may say it. */
const sample = 4

/** The folder that an agent says it works in, or null when it does not say. */
export function workingDirectoryIn({
  prefix,
  messages,
}: Pick<RequestRead, 'prefix' | 'messages'>): string | null {
  const said = [
    prefix.system.replaceAll('\\n', '\n'),
    ...messages.slice(0, sample).flatMap(({ role, items }) => {
      if (role === 'assistant' || role === 'tool') return []
      return items.flatMap((item) => (item.kind === 'text' ? [item.text] : []))
    }),
  ]
  for (const pattern of patterns) {
    for (const text of said) {
      const found = pattern.exec(text)?.[1]?.trim()
      if (found !== undefined && found !== '') return found
    }
  }
  return null
}
