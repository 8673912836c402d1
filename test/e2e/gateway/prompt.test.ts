import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentCommand } from '../../../scripts/agents.mjs'
import { bodyFormats } from '../../../src/formats/index.ts'
import { Memory, openSqliteLog } from '../../../src/memory/index.ts'
import { claudeCode } from '../claude-code.ts'
import type { Client } from '../client.ts'
import { codex } from '../codex.ts'
import { type GatewaySession, type Story, throughGateway } from './gateway-session.ts'

const fact = 'the staging host is otter.example'
const task = 'deploy to staging and look at the log'
const typed = `/mcp__palimpsest__with_memory ${task}`

const story: Story = {
  prompt: typed,
  prepare(store) {
    const memory = new Memory({ log: openSqliteLog(store), now: Date.now, newId: () => 'fact_1' })
    memory.add({ kind: 'fact', text: fact })
    memory.close()
  },
  project: (folder) => [{ path: `${folder}/package.json`, text: '{ "private": true }\n' }],
  scenario: () => ({ aux: 'Deploying', turns: [{ text: 'Deployed.' }] }),
}

function suite(client: Client, assertions: (received: () => readonly string[]) => void): void {
  const command = agentCommand(client.agent)
  const howToGetIt = command === null ? ' (skipped: not installed, see `npm test -- --all`)' : ''
  describe.skipIf(command === null)(`${client.name}${howToGetIt} and the prompt`, () => {
    let session: GatewaySession
    beforeAll(async () => {
      const options = { client, command: command ?? '', programs: [], killAfter: null }
      session = await throughGateway({ ...options, story, restores: 'stdio' })
    }, 240_000)
    afterAll(() => session?.remove())

    assertions(() => {
      const [first] = session.requests.filter(({ kind }) => kind === 'turn')
      return bodyFormats[client.format]
        .read(first?.body ?? '')
        .messages.filter(({ role }) => role === 'user')
        .flatMap(({ items }) => items.map(({ text }) => text))
    })
  })
}

suite(claudeCode('2.1.325'), (received) => {
  it('is started from it: what is remembered stands behind all words of the task', () => {
    const [words, prompted] = received().slice(-2)
    expect(words).toContain(`<command-args>${task}</command-args>`)
    expect(prompted).toContain(
      `What is remembered from earlier sessions:\n\nFacts:\n- ${fact}\n\nTask: deploy\n(If the task is longer,`,
    )
  })
})

// It has no prompts of servers: its users ask for the tools, or for the resource.
suite(codex('0.166.0'), (received) => {
  it('has the words passed on as they were typed', () => {
    expect(received().at(-1)).toBe(typed)
    expect(received().join('\n')).not.toContain(fact)
  })
})
