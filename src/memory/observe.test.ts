import { describe, expect, it } from 'vitest'
import { createInMemoryLog } from './log/memory-log.ts'
import { Memory } from './memory.ts'
import { type Message, type Observation, observe } from './observe.ts'
import { itemsAsOf } from './state/as-of.ts'
import { checkState } from './state/check.ts'

const place = { project: 'shop', session: 'monday' }

function conversation(...said: readonly (string | Omit<Message, 'id'>)[]): {
  readonly memory: Memory
  readonly observations: readonly Observation[]
  readonly current: readonly string[]
} {
  let clock = 1_000
  let count = 0
  const memory = new Memory({
    log: createInMemoryLog(),
    now: () => clock++,
    newId: (kind) => `${kind}_${++count}`,
  })
  const observations = said.map((entry, index) => {
    const message = typeof entry === 'string' ? ({ role: 'user', text: entry } as const) : entry
    return observe(memory, { id: `m${index + 1}`, ...message }, place)
  })
  expect(checkState(memory.state, clock)).toEqual([])
  const current = itemsAsOf(memory.state, clock).map(({ item }) => `${item.kind} ${item.text}`)
  return { memory, observations, current }
}

const assistant = (text: string): Omit<Message, 'id'> => ({ role: 'assistant', text })

describe('the documented conversations', () => {
  it.each([
    [['I prefer VS Code.', 'Actually, I prefer Vim.'], 'fact user prefers Vim'],
    [['I always use VS Code.', "I've switched to Neovim."], 'preference editor: Neovim'],
    [
      ['I use tabs for indentation', "Actually, let's use 2 spaces instead"],
      'preference indentation: 2 spaces',
    ],
    [
      ["I'm a junior developer", "Actually, I'm a senior developer now"],
      'fact user is a senior developer',
    ],
    [['We use npm here.', 'not npm, use pnpm'], 'preference package manager: pnpm'],
    [['We use jest.', 'switch from jest to vitest'], 'preference test framework: vitest'],
    [['use yarn', 'Instead of yarn, use bun'], 'preference package manager: bun'],
  ])('%j leaves one thing current', (said, left) => {
    const { current, observations } = conversation(...said)
    expect(current).toEqual([left])
    expect(observations[1]?.changes.map(({ op }) => op)).toEqual(['supersede'])
  })

  it('an assistant that goes with React and then decides for Vue leaves Vue', () => {
    const { current } = conversation(
      assistant("Let's go with React"),
      assistant('Decided to use Vue'),
    )
    expect(current).toEqual(['decision Decided to use Vue'])
  })

  it('a database that is chosen three times is a chain of three', () => {
    const { current, memory } = conversation(
      'We decided to use PostgreSQL',
      'We decided to use MongoDB',
      'We decided to use PostgreSQL with a caching layer',
    )
    expect(current).toEqual(['decision We decided to use PostgreSQL with a caching layer'])
    expect(memory.state.items.size).toBe(3)
  })
})

describe('what is not remembered', () => {
  it.each([
    'use 4 spaces in this file',
    'Should we use pnpm?',
    'If we used pnpm it would be faster',
    'My brother uses Vim',
    'The docs say to use yarn',
    "I'm not sure this works",
    'it is not working but use of the API is fine',
    "let's go with option 2",
    'please switch to main and delete the stale branches',
    'the tests are failing',
    'I never had that issue',
    'maybe we could use Redis for that',
    '```\nWe use npm here.\n```',
    'The reviewer wrote "we use npm here"',
    'you can use bun run dev to start it',
    "I want to use Rust here but I don't know it",
    'I want to use Rust here. But I don’t know it.',
    'I really want to use Vue, but nobody on the team knows it',
    "we want to use pnpm but it doesn't work on our CI",
    "I'd like to use tabs, unfortunately our linter doesn't allow them",
    "I love Neovim but I can't use it at work",
    'We want to use Kubernetes, however it is way too expensive',
  ])('%s', (text) => {
    expect(conversation(text).observations[0]?.changes).toEqual([])
  })

  it.each([
    ['I want to use pnpm but we use npm', ['preference package manager: npm']],
    ["I'd love to use Rust, but let's stick with Go", ["decision let's stick with Go"]],
    ["I want to use pnpm but don't touch the old lockfile", ['preference package manager: pnpm']],
    ['I want to use vitest but keep the coverage report', ['preference test framework: vitest']],
    ['I prefer tabs but I can live with spaces', ['fact user prefers tabs']],
  ])('%s: only a wish that is taken back', (text, left) => {
    expect(conversation(text).current).toEqual(left)
  })

  it('an assistant’s word against a user’s', () => {
    const { current } = conversation('We use PostgreSQL.', assistant("Let's go with MongoDB"))
    expect(current).toEqual(['fact project uses PostgreSQL'])
  })

  it('what tools and systems say', () => {
    expect(conversation({ role: 'tool', text: 'We use npm here.' }).current).toEqual([])
    expect(conversation({ role: 'system', text: 'We use npm here.' }).current).toEqual([])
  })
})

describe('what a conversation does to the memory', () => {
  it('keeps facts of different attributes side by side', () => {
    expect(conversation("I'm a vegetarian.", 'I am a data scientist at Acme.').current).toEqual([
      'fact user is a vegetarian',
      'fact user is a data scientist',
    ])
  })

  it('ends what is given up without a successor, and brings it back on undo', () => {
    const { memory, observations } = conversation('We use Redux', 'we no longer use Redux')
    expect(observations[1]?.changes).toEqual([
      { op: 'retract', kind: 'fact', id: 'fact_1', key: 'state_management', value: 'Redux' },
    ])
    memory.undo('fact_1')
    expect(itemsAsOf(memory.state, memory.now())).toHaveLength(1)
  })

  it('flags a contradiction without a shared key, acts on neither, and learns from the review', () => {
    const { memory, observations, current } = conversation(
      'never commit to main',
      'always commit to main',
    )
    expect(observations[1]?.changes.map(({ op }) => op)).toEqual(['add', 'flag'])
    expect(current).toHaveLength(2)
    const [flag] = memory.state.flags.keys()
    memory.review(flag!, 'newer')
    expect(itemsAsOf(memory.state, memory.now()).map(({ item }) => item.text)).toEqual([
      'always commit to main',
    ])
  })

  it.each([
    ['newer', ['crane'], ['owl']],
    ['both', ['heron', 'crane'], ['heron', 'crane', 'owl']],
  ] as const)(
    'asks once how many values an unknown attribute has, and a review that says %s holds for it',
    (verdict, left, later) => {
      const { memory } = conversation()
      const mascot = (value: string): void => {
        const base = { kind: 'fact', subject: 'project', attribute: 'mascot' } as const
        memory.add({ ...base, text: `the mascot is a ${value}`, value })
      }
      const values = (): readonly (string | undefined)[] =>
        itemsAsOf(memory.state, memory.now()).map(({ item }) => item.value)
      mascot('heron')
      mascot('crane')
      expect(values()).toEqual(['heron', 'crane'])
      const [flag, ...more] = memory.state.flags.values()
      expect(more).toEqual([])
      expect(flag?.reason).toBe('two values of mascot: does one replace the other?')
      memory.review(flag!.id, verdict)
      expect(values()).toEqual(left)
      mascot('owl')
      expect(values()).toEqual(later)
      expect(memory.state.flags.size).toBe(1)
    },
  )

  it('takes news that arrives late for what it is', () => {
    const { current } = conversation(
      { role: 'user', text: 'We use pnpm.', at: 500 },
      { role: 'user', text: 'We use npm.', at: 100 },
    )
    expect(current).toEqual(['preference package manager: pnpm'])
  })

  it('raises the confidence of what a correction installs', () => {
    const { memory } = conversation('We use npm here.', 'not npm, use pnpm')
    const [first, second] = [...memory.state.items.values()]
    expect(second!.item.confidence).toBeGreaterThan(first!.item.confidence)
  })
})
