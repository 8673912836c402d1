import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentCommand, ripgrepFolder } from '../../../scripts/agents.mjs'
import type { MessageDraft } from '../../../src/core/record/item.ts'
import { bodyFormats } from '../../../src/formats/index.ts'
import { Memory, openSqliteLog } from '../../../src/memory/index.ts'
import { claudeCode } from '../claude-code.ts'
import type { Client } from '../client.ts'
import { codex } from '../codex.ts'
import { openCode } from '../opencode.ts'
import { type GatewaySession, type Story, throughGateway } from './gateway-session.ts'

const closing = 'It is pnpm from now on.'
const remember = (
  value: string,
): { kind: 'tool'; name: string; input: Record<string, string> } => ({
  kind: 'tool',
  name: 'memory_add',
  input: { kind: 'preference', category: 'tooling', key: 'package_manager', value },
})
const look = { kind: 'tool', name: 'memory_search', input: { query: 'package manager' } } as const
const resource = {
  kind: 'resource',
  server: 'palimpsest',
  uri: 'palimpsest://memory/context',
} as const

/** The model remembers something, corrects it, looks it up and reads the resource; the gateway tells it of the changes. */
const story: Story = {
  prompt: 'Remember how we install packages.',
  config: { memory: { inject: true } },
  project: (folder) => [{ path: `${folder}/package.json`, text: '{ "private": true }\n' }],
  scenario: () => ({
    aux: 'Packages',
    last: 'There is nothing left to do.',
    turns: [
      // Clients load tools late, some only when they are asked for; what is said again only reinforces.
      ...Array.from({ length: 4 }, () => ({
        operations: [remember('npm'), { kind: 'bash', command: 'sleep 1' } as const],
      })),
      { operations: [remember('pnpm')] },
      { operations: [look] },
      { operations: [look] },
      { operations: [resource, { kind: 'bash', command: 'echo read' }] },
      { operations: [resource, { kind: 'bash', command: 'echo read' }] },
      { text: closing },
    ],
  }),
}

const rows: readonly (readonly [client: Client, hasResources: boolean])[] = [
  [claudeCode('2.1.325'), true],
  [codex('0.166.0'), true],
  [openCode('1.18.33', 'anthropic'), false],
]
const rg = ripgrepFolder()
const programs = rg === null ? [] : [rg]
const howToGetIt = 'skipped: not installed, get it with `npm test -- --all`'

for (const [client, hasResources] of rows) {
  const command = agentCommand(client.agent)
  const name = command === null ? `${client.name} (${howToGetIt})` : client.name
  describe.skipIf(command === null)(`${name} with a memory`, () => {
    let session: GatewaySession
    let turns: readonly (readonly MessageDraft[])[]

    beforeAll(async () => {
      const options = { client, command: command ?? '', programs, killAfter: null, story }
      session = await throughGateway({ ...options, restores: 'stdio' })
      const { read } = bodyFormats[client.format]
      turns = session.requests
        .filter(({ kind }) => kind === 'turn')
        .map(({ body }) => read(body).messages)
    }, 240_000)
    afterAll(() => session?.remove())

    it('is refused nothing', () => {
      const refused = session.requests.filter(({ api, status }) => api !== null && status !== 200)
      expect(refused.map(({ violations }) => violations)).toEqual([])
      expect(session.results).toEqual([{ code: 0, errors: expect.any(String) }])
      expect(session.output).toContain(closing)
    })

    it('adds, supersedes and finds items by the tools', () => {
      const log = openSqliteLog(session.store)
      const memory = new Memory({ log, now: Date.now, newId: () => 'none' })
      const items = [...memory.state.items.values()]
      expect(items.map(({ item, replacedBy }) => [item.value, replacedBy.length])).toEqual([
        ['npm', 1],
        ['pnpm', 0],
      ])
      memory.close()
      const lists = textsIn(turns.at(-1) ?? [], 'result').filter((text) => /\[\{\\?"id/.test(text))
      expect(lists.join('\n')).toMatch(/value\\?":\s*\\?"pnpm/)
    })

    if (hasResources) {
      it('reads what is remembered as a resource', () => {
        const read = textsIn(turns.at(-1) ?? [], 'result').filter((text) =>
          text.includes('memory/context'),
        )
        expect(read.join('\n')).toContain('package_manager: pnpm')
      })
    }

    it('is told of every change once, and what it was told before stays', () => {
      const told = turns.map((messages) =>
        textsIn(messages, 'text').filter((text) => text.includes('<memory>')),
      )
      for (const [turn, texts] of told.entries())
        if (turn > 0) expect(texts.slice(0, told[turn - 1]!.length)).toEqual(told[turn - 1])
      expect(
        told
          .at(-1)!
          .join('\n')
          .match(/- package_manager: \w+.*/g),
      ).toEqual(['- package_manager: npm', '- package_manager: pnpm (was: npm)'])
    })
  })
}

function textsIn(messages: readonly MessageDraft[], kind: 'text' | 'result'): readonly string[] {
  return messages.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === kind ? [item.text] : [])),
  )
}
