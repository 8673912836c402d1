import { expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import { Memory, openSqliteLog } from '../../../src/memory/index.ts'
import { claudeCode } from '../claude-code.ts'
import { codex } from '../codex.ts'
import type { Story } from './gateway-session.ts'
import { describeStory, type ToldStory, textsIn } from './gateway-suite.ts'

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

const userTexts = ({ turns: [first = []] }: ToldStory): readonly string[] =>
  textsIn(
    first.filter(({ role }) => role === 'user'),
    'text',
  )
const options = { title: 'and the prompt', story, restores: 'stdio' } as const

describeStory(claudeCode(newestVersion('claude-code')), options, (told) => {
  it('is started from it: what is remembered stands behind all words of the task', () => {
    const [words, prompted] = userTexts(told()).slice(-2)
    expect(words).toContain(`<command-args>${task}</command-args>`)
    expect(prompted).toContain(
      `What is remembered from earlier sessions:\n\nFacts:\n- ${fact}\n\nTask: deploy\n(If the task is longer,`,
    )
  })
})

// It has no prompts of servers: its users ask for the tools, or for the resource.
describeStory(codex(newestVersion('codex')), options, (told) => {
  it('has the words passed on as they were typed', () => {
    expect(userTexts(told()).at(-1)).toBe(typed)
    expect(userTexts(told()).join('\n')).not.toContain(fact)
  })
})
