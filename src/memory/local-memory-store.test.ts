import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LocalMemoryStore } from './local-memory-store.ts'
import { openSqliteLog } from './log/sqlite-log.ts'

let folder: string
let clock: number
const stores: LocalMemoryStore[] = []

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-memory-'))
  clock = Date.UTC(2026, 0, 1)
})

afterEach(() => {
  for (const store of stores.splice(0)) store.close()
  rmSync(folder, { recursive: true })
})

function open(session = 'one', project = folder): LocalMemoryStore {
  const store = new LocalMemoryStore(project, {
    log: openSqliteLog(path.join(folder, 'memory.db')),
    session,
    now: () => clock++,
  })
  stores.push(store)
  return store
}

describe('the documented memory store', () => {
  it('shows one project nothing of another, and a confidence as it was given', () => {
    const store = open()
    const other = open('two', path.join(folder, 'other'))
    store.addDecision({ description: 'Use Kafka' })
    store.addPreference({ category: 'a', key: 'b', value: 'c', lifespan: 'project' })
    const fact = { fact: 'user likes tea', category: 'personal', confidence: 0.9 }
    store.addUserFact({ ...fact, lifespan: 'project' })
    store.addUserFact({ ...fact, fact: 'user likes rain', lifespan: 'permanent' })
    expect(store.getAllUserFacts().map(({ confidence }) => confidence)).toEqual([0.9, 0.9])
    expect([store.getDecisions(), store.getPreferences()].map(({ length }) => length)).toEqual([
      1, 1,
    ])
    expect([other.getAllDecisions(), other.getAllPreferences()]).toEqual([[], []])
    expect(other.getPreferenceByKey('a', 'b')).toBeUndefined()
    expect(other.getUserFacts().map((each) => each.fact)).toEqual(['user likes rain'])
  })

  it('supersedes facts, and repeating the link changes nothing', () => {
    const store = open()
    const base = { category: 'personal', lifespan: 'permanent' } as const
    const fact1 = store.addUserFact({ fact: 'user prefers VS Code', confidence: 0.8, ...base })
    const fact2 = store.addUserFact({ fact: 'user prefers Vim', confidence: 0.9, ...base })
    store.supersedeUserFact(fact1.id, fact2.id)
    expect(store.getUserFacts().map(({ fact }) => fact)).toEqual(['user prefers Vim'])
    expect(store.getAllUserFacts().map(({ fact, supersededBy }) => [fact, supersededBy])).toEqual([
      ['user prefers VS Code', fact2.id],
      ['user prefers Vim', undefined],
    ])
  })

  it('supersedes a preference of the same key, and finds it by its key', () => {
    const store = open()
    const base = { category: 'tooling', key: 'editor', lifespan: 'permanent' } as const
    const first = store.addPreference({ ...base, value: 'VS Code', confidence: 0.8 })
    const second = store.addPreference({ ...base, value: 'Neovim', confidence: 0.9 })
    store.supersedePreference(first.id, second.id)
    expect(store.getPreferences().map(({ value }) => value)).toEqual(['Neovim'])
    expect(store.getPreferenceByKey('tooling', 'editor')?.id).toBe(second.id)
    expect(
      store.getAllPreferences().map(({ value, supersededBy }) => [value, supersededBy]),
    ).toEqual([
      ['VS Code', second.id],
      ['Neovim', undefined],
    ])
  })

  it('supersedes decisions, and finds each by its id', () => {
    const store = open()
    const first = store.addDecision({
      description: 'Use React for frontend',
      category: 'architecture',
      rationale: 'Team is familiar with it',
    })
    const second = store.addDecision({
      description: 'Use Vue for frontend',
      category: 'architecture',
      rationale: 'Better performance for our use case',
    })
    store.supersedeDecision(first.id, second.id)
    expect(store.getDecisions()).toEqual([second])
    expect(store.getDecisionById(second.id)).toEqual(second)
    expect(store.getAllDecisions().map(({ description }) => description)).toEqual([
      'Use React for frontend',
      'Use Vue for frontend',
    ])
    expect(store.getDecisionById(first.id)?.supersededBy).toBe(second.id)
  })

  it('keeps the evolution of a decision as a chain of three', () => {
    const store = open()
    for (const description of [
      'Use PostgreSQL',
      'Use MongoDB',
      'Use PostgreSQL with caching layer',
    ])
      store.addDecision({ description })
    const [first, second, third] = store.getAllDecisions()
    expect([first?.supersededBy, second?.supersededBy, third?.supersededBy]).toEqual([
      second?.id,
      third?.id,
      undefined,
    ])
    expect(store.getDecisions().map(({ description }) => description)).toEqual([
      'Use PostgreSQL with caching layer',
    ])
  })

  it('gives a context of what holds now, decisions included, and of nothing else', () => {
    const store = open()
    const base = { category: 'personal', lifespan: 'permanent' } as const
    store.addUserFact({ fact: 'user prefers VS Code', ...base })
    store.addUserFact({ fact: 'user prefers Vim', ...base })
    store.addPreference({ category: 'tooling', key: 'shell', value: 'bash' })
    store.addPreference({ category: 'tooling', key: 'shell', value: 'fish' })
    store.addDecision({ description: 'Use React for frontend' })
    store.addDecision({ description: 'Use Vue for frontend' })
    const { facts, preferences, decisions, text } = store.getCurrentContext()
    expect(facts.map(({ fact }) => fact)).toEqual(['user prefers Vim'])
    expect(preferences.map(({ value }) => value)).toEqual(['fish'])
    expect(decisions.map(({ description }) => description)).toEqual(['Use Vue for frontend'])
    expect(text).toBe(
      'Preferences:\n- shell: fish\n\nFacts:\n- user prefers Vim\n\nDecisions:\n- Use Vue for frontend',
    )
    expect(store.getCurrentContext({ budgetTokens: 10 }).text.length).toBeLessThan(text.length)
  })

  it('restores supersession from disk', async () => {
    const store = open()
    const base = { category: 'personal', lifespan: 'permanent' } as const
    const fact1 = store.addUserFact({ fact: 'user prefers VS Code', ...base })
    const fact2 = store.addUserFact({ fact: 'user prefers Vim', ...base })
    await store.save()
    const newStore = open('two')
    await newStore.load()
    const oldFact = newStore.getAllUserFacts().find(({ id }) => id === fact1.id)
    expect(oldFact?.supersededBy).toBe(fact2.id)
    expect(oldFact?.supersededAt).toBeInstanceOf(Date)
    expect(newStore.getUserFacts().map(({ id }) => id)).toEqual([fact2.id])
  })

  it('sees what another store on the same file wrote, and loses nothing of either', () => {
    const [one, two] = [open('one'), open('two')]
    for (let turn = 0; turn < 10; turn++) {
      one.addUserFact({ fact: `first ${turn}`, category: 'notes' })
      two.addUserFact({ fact: `second ${turn}`, category: 'notes' })
    }
    expect(one.getUserFacts()).toHaveLength(20)
    expect(two.getUserFacts()).toHaveLength(20)
  })

  it('refuses links that would lose an item, and names both', () => {
    const store = open()
    const fact = store.addUserFact({ fact: 'a fact', category: 'notes' })
    const other = store.addUserFact({ fact: 'another fact', category: 'notes' })
    const decision = store.addDecision({ description: 'a decision' })
    const passing = store.addUserFact({ fact: 'for today', category: 'notes', lifespan: 'session' })
    store.supersedeUserFact(fact.id, other.id)
    expect(() => store.supersedeUserFact(fact.id, fact.id)).toThrow(fact.id)
    expect(() => store.supersedeUserFact(fact.id, 'nope')).toThrow('nope')
    expect(() => store.supersedeUserFact(other.id, fact.id)).toThrow('cycle')
    expect(() => store.supersedeUserFact(other.id, decision.id)).toThrow(decision.id)
    expect(() => store.supersedeUserFact(other.id, passing.id)).toThrow(passing.id)
    expect(store.getUserFacts().map(({ id }) => id)).toEqual([other.id, passing.id])
  })

  it('lets a session preference stand before the permanent one without replacing it', () => {
    const store = open()
    const base = { category: 'style', key: 'indentation' }
    store.addPreference({ ...base, value: 'tabs', lifespan: 'permanent' })
    store.addPreference({ ...base, value: '2 spaces', lifespan: 'session' })
    expect(store.getPreferenceByKey('style', 'indentation')?.value).toBe('2 spaces')
    expect(open('later').getPreferenceByKey('style', 'indentation')?.value).toBe('tabs')
  })

  it('takes the same value said again as reinforcement', () => {
    const store = open()
    const base = { category: 'tooling', key: 'editor', value: 'Vim', confidence: 0.5 }
    const first = store.addPreference(base)
    store.addPreference(base)
    const again = store.addPreference(base)
    expect(again.id).toBe(first.id)
    expect(again.confidence).toBeGreaterThan(first.confidence)
    expect(again.lastReinforced).toBeInstanceOf(Date)
    store.addPreference({ ...base, value: 'Emacs' })
    expect(store.getPreferences().map(({ value }) => value)).toEqual(['Emacs'])
  })

  it('decays confidence when it is read and never in the store', () => {
    const store = open()
    store.addPreference({
      category: 'tooling',
      key: 'editor',
      value: 'Vim',
      confidence: 0.9,
      lifespan: 'project',
    })
    const day = 86_400_000
    const readings = [0, 6, 12, 18].map((hours) => {
      clock = Date.UTC(2026, 0, 1) + hours * (day / 24)
      const reopened = open(`after ${hours}`)
      return reopened.getPreferences()[0]?.confidence ?? 0
    })
    for (const confidence of readings) expect(confidence).toBeGreaterThan(0.89)
    clock = Date.UTC(2026, 6, 1)
    expect(store.getPreferences()[0]?.confidence).toBeCloseTo(0.45, 1)
  })
})
