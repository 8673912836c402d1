import { expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import { Memory, openSqliteLog } from '../../../src/memory/index.ts'
import { claudeCode } from '../claude-code.ts'
import type { Client } from '../client.ts'
import { codex } from '../codex.ts'
import { openCode } from '../opencode.ts'
import type { Story } from './gateway-session.ts'
import { describeStory, refusedIn, textsIn } from './gateway-suite.ts'

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
  [claudeCode(newestVersion('claude-code')), true],
  [codex(newestVersion('codex')), true],
  [openCode(newestVersion('opencode'), 'anthropic'), false],
]
for (const [client, hasResources] of rows) {
  describeStory(client, { title: 'with a memory', story, restores: 'stdio' }, (told) => {
    it('is refused nothing', () => {
      const { session } = told()
      expect(refusedIn(told())).toEqual([])
      expect(session.results).toEqual([{ code: 0, errors: expect.any(String) }])
      expect(session.output).toContain(closing)
    })

    it('adds, supersedes and finds items by the tools', () => {
      const { session, turns } = told()
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
        const read = textsIn(told().turns.at(-1) ?? [], 'result').filter((text) =>
          text.includes('memory/context'),
        )
        expect(read.join('\n')).toContain('package_manager: pnpm')
      })
    }

    it('is told of every change once, and what it was told before stays', () => {
      const blocks = told().turns.map((messages) =>
        textsIn(messages, 'text').filter((text) => text.includes('<memory>')),
      )
      for (const [turn, texts] of blocks.entries())
        if (turn > 0) expect(texts.slice(0, blocks[turn - 1]!.length)).toEqual(blocks[turn - 1])
      expect(
        blocks
          .at(-1)!
          .join('\n')
          .match(/- package_manager: \w+.*/g),
      ).toEqual(['- package_manager: npm', '- package_manager: pnpm (was: npm)'])
    })
  })
}
