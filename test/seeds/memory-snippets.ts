import {
  type Decision,
  LocalMemoryStore,
  type UserFact,
  type UserPreference,
} from '../../src/memory/index.ts'

interface Facts {
  readonly store: LocalMemoryStore
  readonly fact1: UserFact
  readonly fact2: UserFact
}

/** The snippets of the document, each as it stands there. */
export function facts(store: LocalMemoryStore = LocalMemoryStore.inMemory()): Facts {
  const fact1 = store.addUserFact({
    fact: 'user prefers VS Code',
    category: 'personal',
    confidence: 0.8,
    lifespan: 'permanent',
  })
  const fact2 = store.addUserFact({
    fact: 'user prefers Vim',
    category: 'personal',
    confidence: 0.9,
    lifespan: 'permanent',
  })
  store.supersedeUserFact(fact1.id, fact2.id)
  return { store, fact1, fact2 }
}

interface Preferences {
  readonly store: LocalMemoryStore
  readonly pref1: UserPreference
  readonly pref2: UserPreference
}

export function preferences(store: LocalMemoryStore = LocalMemoryStore.inMemory()): Preferences {
  const pref1 = store.addPreference({
    category: 'tooling',
    key: 'editor',
    value: 'VS Code',
    confidence: 0.8,
    lifespan: 'permanent',
  })
  const pref2 = store.addPreference({
    category: 'tooling',
    key: 'editor',
    value: 'Neovim',
    confidence: 0.9,
    lifespan: 'permanent',
  })
  store.supersedePreference(pref1.id, pref2.id)
  return { store, pref1, pref2 }
}

interface Decisions {
  readonly store: LocalMemoryStore
  readonly dec1: Decision
  readonly dec2: Decision
}

export function decisions(store: LocalMemoryStore = LocalMemoryStore.inMemory()): Decisions {
  const dec1 = store.addDecision({
    description: 'Use React for frontend',
    category: 'architecture',
    rationale: 'Team is familiar with it',
  })
  const dec2 = store.addDecision({
    description: 'Use Vue for frontend',
    category: 'architecture',
    rationale: 'Better performance for our use case',
  })
  store.supersedeDecision(dec1.id, dec2.id)
  return { store, dec1, dec2 }
}
