import { describe, expect, it } from 'vitest'
import { createInMemoryLog } from '../log/memory-log.ts'
import { Memory } from '../memory.ts'
import { observe } from '../observe.ts'
import { searchMemory } from './search.ts'

function open(): Memory {
  let clock = 1_000
  let count = 0
  return new Memory({
    log: createInMemoryLog(),
    now: () => clock++,
    newId: (kind) => `${kind}_${++count}`,
  })
}

describe('search', () => {
  it('returns a superseded item only when asked for, and marks it', () => {
    const memory = open()
    const base = { kind: 'preference', category: 'tooling', attribute: 'editor' } as const
    memory.add({ ...base, text: 'editor: VS Code', value: 'VS Code' })
    memory.add({ ...base, text: 'editor: Neovim', value: 'Neovim' })
    const found = (include: 'current' | 'all'): readonly (readonly [string, boolean])[] =>
      searchMemory(memory, 'which editor', { include }).map(({ text, current }) => [text, current])
    expect(found('current')).toEqual([['editor: Neovim', true]])
    expect(found('all')).toEqual([
      ['editor: Neovim', true],
      ['editor: VS Code', false],
    ])
  })

  it('leads from what was given up to where that was said', () => {
    const memory = open()
    const say = (session: string, at: number, ...texts: readonly string[]): void => {
      for (const [index, text] of texts.entries())
        observe(
          memory,
          { id: `${session}/${index}`, role: 'user', text, at },
          { project: 'p', session },
        )
    }
    say(
      'first',
      1,
      'Database migrations run with Alembic, and the migration command is alembic upgrade head.',
    )
    say('second', 2, 'I want to switch from Alembic to Aerich for database migrations.')
    say('third', 3, 'The logo should be blue.')
    const [hit] = searchMemory(memory, 'What is the database migration command?')
    expect(hit?.source?.session).toBe('second')
  })

  it('takes a word that no text has as the beginning of one', () => {
    const memory = open()
    memory.add({ kind: 'fact', text: 'indentation is two spaces' })
    expect(searchMemory(memory, 'indent')).toHaveLength(1)
    expect(searchMemory(memory, 'ind')).toEqual([])
  })

  it('finds nothing of what was forgotten', () => {
    const memory = open()
    const { id } = memory.add({ kind: 'fact', text: 'the garage code is 4711' })
    expect(searchMemory(memory, 'garage code')).toHaveLength(1)
    memory.forget([id])
    expect(searchMemory(memory, 'garage code', { include: 'all' })).toEqual([])
  })

  it('finds an item among a thousand that share its words', () => {
    const memory = open()
    for (let index = 0; index < 300; index++)
      memory.add({ kind: 'fact', text: `service ${index} runs on port ${8000 + index}` })
    expect(searchMemory(memory, 'port 8123', { limit: 1 })[0]?.text).toBe(
      'service 123 runs on port 8123',
    )
  })
})
