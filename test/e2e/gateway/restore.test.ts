import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentCommand, ripgrepFolder } from '../../../scripts/agents.mjs'
import type { MessageDraft } from '../../../src/core/record/item.ts'
import { bodyFormats } from '../../../src/formats/index.ts'
import { claudeCode } from '../claude-code.ts'
import type { Client } from '../client.ts'
import { codex } from '../codex.ts'
import { openCode } from '../opencode.ts'
import { pi } from '../pi.ts'
import {
  type GatewaySession,
  type GatewaySessionOptions,
  throughGateway,
} from './gateway-session.ts'
import { printed, restoreClosing, restoreStory } from './restore-story.ts'

type Restores = NonNullable<GatewaySessionOptions['restores']>

/** Each client with the words by which its placeholders name what brings originals back. */
const rows: readonly (readonly [client: Client, restores: Restores, words: string])[] = [
  [claudeCode('2.1.197', 'claude-sonnet-4-5'), 'stdio', 'mcp__palimpsest__context_restore'],
  [claudeCode('2.1.325'), 'stdio', 'mcp__palimpsest__context_restore'],
  [claudeCode('2.1.325'), 'http', 'mcp__palimpsest__context_restore'],
  [codex('0.166.0'), 'stdio', 'context_restore'],
  [codex('0.166.0'), 'http', 'context_restore'],
  [openCode('1.18.33', 'anthropic'), 'stdio', 'palimpsest_context_restore'],
  [openCode('1.18.33', 'anthropic'), 'http', 'palimpsest_context_restore'],
  [pi('0.73.1', 'anthropic'), 'command', 'palimpsest restore'],
]

const rg = ripgrepFolder()
const programs = rg === null ? [] : [rg]
const howToGetIt = 'skipped: not installed, get it with `npm test -- --all`'

for (const [client, restores, words] of rows) {
  const command = agentCommand(client.agent)
  const name = command === null ? `${client.name} (${howToGetIt})` : client.name
  describe.skipIf(command === null)(`${name} gets an original back by ${restores}`, () => {
    let session: GatewaySession
    let turns: readonly (readonly MessageDraft[])[]

    beforeAll(async () => {
      const story = restoreStory
      const options = { client, command: command ?? '', programs, killAfter: null, story, restores }
      session = await throughGateway(options)
      const { read } = bodyFormats[client.format]
      turns = session.requests
        .filter(({ kind }) => kind === 'turn')
        .map(({ body }) => read(body).messages)
    }, 240_000)
    afterAll(() => session?.remove())

    it('and nothing is refused on the way', () => {
      const refused = session.requests.filter(({ api, status }) => api !== null && status !== 200)
      expect(refused.map(({ violations }) => violations)).toEqual([])
      expect(session.results).toEqual([{ code: 0, errors: expect.any(String) }])
      expect(session.output).toContain(restoreClosing)
      expect(turns).toHaveLength(4)
    })

    it('from a placeholder that names what it has, and in no other words later', () => {
      const [shown = ''] = resultsIn(turns[1] ?? [])
      expect(shown).not.toContain(printed)
      expect(shown).toMatch(new RegExp(`[^\\w]${words} [0-9a-f]{6}\\b`))
      for (const messages of turns.slice(2)) expect(resultsIn(messages)[0]).toBe(shown)
    })

    it('whole, and it stays whole', () => {
      const restored = resultsIn(turns.at(-1) ?? []).filter((text) => text.includes(printed))
      expect(restored.length).toBeGreaterThan(0)
    })
  })
}

function resultsIn(messages: readonly MessageDraft[]): readonly string[] {
  return messages.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === 'result' ? [item.text] : [])),
  )
}
