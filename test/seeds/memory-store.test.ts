import path from 'node:path'
import { describe, expect } from 'vitest'
import {
  type Decision,
  LocalMemoryStore,
  type UserFact,
  type UserPreference,
} from '../../src/memory/index.ts'
import { useOwnHome } from '../sdk/own-home.ts'
import { decisions, facts, preferences } from './memory-snippets.ts'
import { row } from './statement.ts'

const project = path.resolve('/a project')
const open = (): LocalMemoryStore => LocalMemoryStore.inMemory()

const idsOf = (items: readonly { readonly id: string }[]): readonly string[] =>
  items.map(({ id }) => id)

describe('the memory store', () => {
  useOwnHome()

  row('004-01', () => {
    const { store, fact1, fact2 } = facts()
    expect(fact2.confidence).toBe(0.9)
    expect(store.getUserFacts().map(({ fact }) => fact)).toEqual(['user prefers Vim'])
    expect(store.getAllUserFacts().find(({ id }) => id === fact1.id)?.supersededBy).toBe(fact2.id)
  })

  row('004-02', () => {
    const { store, fact2 } = facts()
    expect(idsOf(store.getUserFacts())).toEqual([fact2.id])
  })

  row('004-03', () => {
    const { store, fact1, fact2 } = facts()
    expect(idsOf(store.getAllUserFacts())).toEqual([fact1.id, fact2.id])
  })

  row('004-04', () => {
    const { store, pref1, pref2 } = preferences()
    expect(pref2).toMatchObject({ category: 'tooling', key: 'editor', value: 'Neovim' })
    const old = store.getAllPreferences().find(({ id }) => id === pref1.id)
    expect(old?.supersededBy).toBe(pref2.id)
  })

  row('004-05', () => {
    const { store, pref1, pref2 } = preferences()
    expect(idsOf(store.getPreferences())).toEqual([pref2.id])
    expect(idsOf(store.getAllPreferences())).toEqual([pref1.id, pref2.id])
  })

  row('004-06', () => {
    const { store, pref2 } = preferences()
    expect(store.getPreferenceByKey('tooling', 'editor')?.id).toBe(pref2.id)
    expect(store.getPreferenceByKey('tooling', 'shell')).toBeUndefined()
    expect(store.getPreferenceByKey('style', 'editor')).toBeUndefined()
  })

  row('004-07', () => {
    const { store, dec1, dec2 } = decisions()
    expect(dec1.rationale).toBe('Team is familiar with it')
    expect(store.getDecisionById(dec1.id)?.supersededBy).toBe(dec2.id)
  })

  row('004-08', () => {
    const { store, dec1, dec2 } = decisions()
    expect(idsOf(store.getDecisions())).toEqual([dec2.id])
    expect(idsOf(store.getAllDecisions())).toEqual([dec1.id, dec2.id])
  })

  row('004-09', () => {
    const { store, dec1, dec2 } = decisions()
    expect(store.getDecisionById(dec2.id)?.description).toBe('Use Vue for frontend')
    expect(store.getDecisionById(dec1.id)?.description).toBe('Use React for frontend')
    expect(store.getDecisionById('decision_none')).toBeUndefined()
  })

  row('004-10', () => {
    // Texts without a known property, so that nothing is superseded by itself.
    const store = open()
    const fact = (text: string): UserFact => store.addUserFact({ fact: text, category: 'personal' })
    const [a, b] = [fact('user has a cat'), fact('user has a garden')]
    store.supersedeUserFact(a.id, b.id)
    expect(idsOf(store.getUserFacts())).toEqual([b.id])
    const decision = (description: string): Decision => store.addDecision({ description })
    const [c, d] = [decision('Ship on Mondays'), decision('Ship every day')]
    store.supersedeDecision(c.id, d.id)
    expect(idsOf(store.getDecisions())).toEqual([d.id])
    const prefer = (key: string): UserPreference =>
      store.addPreference({ category: 'style', key, value: 'yes' })
    const [e, f] = [prefer('comments'), prefer('remarks')]
    store.supersedePreference(e.id, f.id)
    expect(idsOf(store.getPreferences())).toEqual([f.id])
    expect(() => store.supersedeUserFact(b.id, b.id)).toThrow()
    expect(() => store.supersedeUserFact(b.id, a.id)).toThrow()
    expect(() => store.supersedeUserFact(b.id, 'fact_none')).toThrow()
    expect(() => store.supersedeUserFact(b.id, d.id)).toThrow()
  })

  row('004-11', () => {
    const store = open()
    const [fact1, fact2] = ['a cat', 'a garden'].map((what) =>
      store.addUserFact({ fact: `user has ${what}`, category: 'personal' }),
    )
    expect(store.getAllUserFacts().map(({ supersededBy }) => supersededBy)).toEqual([
      undefined,
      undefined,
    ])
    store.supersedeUserFact(fact1!.id, fact2!.id)
    const [old, current] = store.getAllUserFacts()
    expect([old?.id, old?.supersededBy]).toEqual([fact1!.id, fact2!.id])
    expect(current?.supersededBy).toBeUndefined()
  })

  row('004-12', () => {
    let now = Date.UTC(2026, 0, 1)
    const store = LocalMemoryStore.inMemory({ now: () => now })
    const [a, b] = ['a cat', 'a garden'].map((what) =>
      store.addUserFact({ fact: `user has ${what}`, category: 'personal' }),
    )
    now = Date.UTC(2026, 5, 1)
    store.supersedeUserFact(a!.id, b!.id)
    const [old, current] = store.getAllUserFacts()
    expect(old?.supersededAt).toEqual(new Date(now))
    expect(current?.supersededAt).toBeUndefined()
  })

  row('004-13', () => {
    const store = open()
    const chain = ['Use PostgreSQL', 'Use MongoDB', 'Use PostgreSQL with caching layer'].map(
      (description) => store.addDecision({ description }),
    )
    const [first, second, third] = chain.map(({ id }) => store.getDecisionById(id))
    expect([first?.supersededBy, second?.supersededBy]).toEqual([second?.id, third?.id])
    expect(third?.supersededBy).toBeUndefined()
    expect(idsOf(store.getDecisions())).toEqual([third?.id])
  })

  row('004-17', () => {
    const store = open()
    const fact = (what: string, lifespan: UserFact['lifespan']): void => {
      store.addUserFact({ fact: `user has ${what}`, category: 'personal', lifespan })
    }
    fact('a cold', 'session')
    fact('a deadline', 'project')
    fact('a cat', 'permanent')
    expect(store.getUserFacts().map(({ lifespan }) => lifespan)).toEqual([
      ...['session', 'project', 'permanent'],
    ])
    const home = new LocalMemoryStore(project, { session: 'one' })
    for (const lifespan of ['session', 'project', 'permanent'] as const)
      home.addUserFact({ fact: `it lasts for one ${lifespan}`, category: 'x', lifespan })
    home.close()
    const seenIn = (folder: string, session: string): readonly string[] => {
      const later = new LocalMemoryStore(folder, { session })
      const seen = later.getUserFacts().map(({ lifespan }) => lifespan)
      later.close()
      return seen
    }
    expect(seenIn(project, 'one')).toEqual(['session', 'project', 'permanent'])
    expect(seenIn(project, 'two')).toEqual(['project', 'permanent'])
    expect(seenIn('/another project', 'two')).toEqual(['permanent'])
  })

  row('004-18', () => {
    let now = Date.UTC(2026, 0, 1)
    const store = LocalMemoryStore.inMemory({ now: () => now })
    const fact = { fact: 'user prefers Vim', category: 'personal', confidence: 0.9 }
    const first = store.addUserFact(fact)
    now += 60_000
    const again = store.addUserFact(fact)
    expect(again.id).toBe(first.id)
    expect(again.lastReinforced).toEqual(new Date(now))
    expect(again.confidence).toBeGreaterThan(first.confidence)
    expect(store.getAllUserFacts().length).toBe(1)
  })

  row('004-19', async () => {
    const store = new LocalMemoryStore('/persisted project')
    const { fact1, fact2 } = facts(store)
    // Save memory with supersession data
    await store.save()

    // Load memory and restore supersession chains
    const newStore = new LocalMemoryStore('/persisted project')
    await newStore.load()

    // Supersession information is preserved
    const allFacts = newStore.getAllUserFacts()
    const oldFact = allFacts.find((f) => f.id === fact1.id)
    expect(oldFact?.supersededBy).toBe(fact2.id)
    expect(oldFact?.supersededAt).toBeInstanceOf(Date)
    store.close()
    newStore.close()
  })

  row('004-24', () => {
    const store = open()
    for (const key of ['editor', 'a key that nobody knows'])
      for (const value of ['one', 'two']) store.addPreference({ category: 'tooling', key, value })
    expect(store.getPreferences().map(({ value }) => value)).toEqual(['two', 'two'])
    expect(store.getAllPreferences().length).toBe(4)
  })
})

describe('the types', () => {
  row('004-14', () => {
    const { fact1: fact } = facts()
    const documented: {
      id: string
      fact: string
      category: string
      confidence: number
      source: string
      lifespan: 'session' | 'project' | 'permanent'
      timestamp: Date
      lastReinforced?: Date
      supersededBy?: string
      supersededAt?: Date
    } = fact
    expect(documented).toMatchObject({
      id: expect.any(String),
      fact: 'user prefers VS Code',
      category: 'personal',
      confidence: 0.8,
      source: expect.any(String),
      lifespan: 'permanent',
      timestamp: expect.any(Date),
    })
  })

  row('004-15', () => {
    const { pref1: preference } = preferences()
    const documented: {
      id: string
      category: string
      key: string
      value: string
      confidence: number
      source: string
      lifespan: 'session' | 'project' | 'permanent'
      timestamp: Date
      lastReinforced?: Date
      supersededBy?: string
      supersededAt?: Date
    } = preference
    expect(documented).toMatchObject({
      id: expect.any(String),
      category: 'tooling',
      key: 'editor',
      value: 'VS Code',
      confidence: 0.8,
      source: expect.any(String),
      lifespan: 'permanent',
      timestamp: expect.any(Date),
    })
  })

  row('004-16', () => {
    const store = open()
    const decision = {
      description: 'Use a queue',
      rationale: 'it is slow',
      alternatives: ['a cron job'],
      relatedFiles: ['src/queue.ts'],
    }
    const documented: {
      id: string
      description: string
      category?: string
      rationale?: string
      alternatives?: string[]
      relatedFiles?: string[]
      timestamp: Date
      supersededBy?: string
      supersededAt?: Date
    } = store.addDecision(decision)
    expect(documented).toMatchObject({ ...decision, timestamp: expect.any(Date) })
    expect(documented).not.toHaveProperty('category')
  })
})
