import { expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import { claudeCode } from '../claude-code.ts'
import type { Client } from '../client.ts'
import { codex } from '../codex.ts'
import { openCode } from '../opencode.ts'
import { pi } from '../pi.ts'
import type { GatewaySessionOptions } from './gateway-session.ts'
import { describeStory, refusedIn, textsIn } from './gateway-suite.ts'
import { printed, restoreClosing, restoreStory } from './restore-story.ts'

type Restores = NonNullable<GatewaySessionOptions['restores']>

const claude = claudeCode(newestVersion('claude-code'))
/** Written by the gateway into its folder, which has a space in its name; nothing is in the search path. */
const command = "'/[^']*/our own/restore-[0-9a-f]{6}'"

/** Each client with the words by which its placeholders name what brings originals back. */
const rows: readonly (readonly [client: Client, restores: Restores, words: string])[] = [
  [claude, 'stdio', 'mcp__palimpsest__context_restore'],
  [claude, 'http', 'mcp__palimpsest__context_restore'],
  [claudeCode('2.1.197', 'claude-sonnet-4-5'), 'stdio', 'mcp__palimpsest__context_restore'],
  [claudeCode('2.1.325'), 'stdio', 'mcp__palimpsest__context_restore'],
  // Newer ones do not wait for the server's process before their first request.
  [codex('0.166.0'), 'stdio', 'context_restore'],
  [codex(newestVersion('codex')), 'http', 'context_restore'],
  [codex(newestVersion('codex'), 'gpt-5.6-luna'), 'http', 'context_restore'],
  [openCode(newestVersion('opencode'), 'anthropic'), 'stdio', 'palimpsest_context_restore'],
  [openCode(newestVersion('opencode'), 'anthropic'), 'http', 'palimpsest_context_restore'],
  [claude, 'command', command],
  [codex(newestVersion('codex')), 'command', command],
  [codex(newestVersion('codex'), 'gpt-5.6-luna'), 'command', command],
  [openCode(newestVersion('opencode'), 'anthropic'), 'command', command],
  [pi(newestVersion('pi'), 'anthropic'), 'command', command],
]

for (const [client, restores, words] of rows) {
  const title = `gets an original back by ${restores}`
  describeStory(client, { title, story: restoreStory, restores }, (told) => {
    it('and nothing is refused on the way', () => {
      const { session, turns } = told()
      expect(refusedIn(told())).toEqual([])
      expect(session.results).toEqual([{ code: 0, errors: expect.any(String) }])
      expect(session.output).toContain(restoreClosing)
      expect(turns).toHaveLength(4)
    })

    it('from a placeholder that names what it has, and in no other words later', () => {
      const { turns } = told()
      const [shown = ''] = textsIn(turns[1] ?? [], 'result')
      expect(isWhole(shown)).toBe(false)
      expect(shown).toMatch(new RegExp(`[^\\w]${words} [0-9a-f]{6}\\b`))
      for (const messages of turns.slice(2)) expect(textsIn(messages, 'result')[0]).toBe(shown)
    })

    it('whole, and it stays whole', () => {
      const restored = textsIn(told().turns.at(-1) ?? [], 'result')
      expect(restored.filter(isWhole).length).toBeGreaterThan(0)
    })
  })
}

/** A program of Codex's code mode prints all that is said of a command, as JSON. */
function isWhole(text: string): boolean {
  return text.includes(printed) || text.includes(JSON.stringify(printed).slice(1, -1))
}
