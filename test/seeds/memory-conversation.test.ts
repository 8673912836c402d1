import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import {
  ContextExtractor,
  ConversationManager,
  findPatterns,
  LocalMemoryStore,
  openSqliteLog,
  type SpokenMessage,
} from '../../src/memory/index.ts'
import { hostedPlugin, saidIn } from '../agent/hosted.ts'
import { captureRun } from '../captured-run.ts'
import { row } from './statement.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest memory '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What `palimpsest memory review` lists after the user said this. */
async function toReview(name: string, ...messages: readonly string[]): Promise<string> {
  const file = path.join(folder, `${name}.db`)
  const store = new LocalMemoryStore(folder, { log: openSqliteLog(file) })
  const conversation = new ConversationManager(store)
  for (const text of messages) conversation.addMessage({ role: 'user', text })
  await store.save()
  store.close()
  return (await captureRun(['memory', 'review', '--store', file], { cwd: folder })).out
}

/** A conversation in which the user said this. */
function heard(...messages: readonly (string | SpokenMessage)[]): ConversationManager {
  const conversation = new ConversationManager(LocalMemoryStore.inMemory())
  for (const message of messages)
    conversation.addMessage(typeof message === 'string' ? { role: 'user', text: message } : message)
  return conversation
}
const factsOf = ({ store }: ConversationManager): readonly string[] =>
  store.getUserFacts().map(({ fact }) => fact)
const valuesOf = ({ store }: ConversationManager): readonly string[] =>
  store.getPreferences().map(({ value }) => value)

describe('the examples of the document', () => {
  row('004-20', () => {
    const conversation = heard(
      'I prefer VS Code',
      'Actually, I prefer Vim',
      'We use npm',
      'not npm, use pnpm',
    )
    conversation.store.addDecision({ description: 'Use React for frontend' })
    conversation.store.addDecision({ description: 'Use Vue for frontend' })
    const { facts, preferences, decisions, text } = conversation.getCurrentContext()
    expect(facts.map(({ fact }) => fact)).toEqual(['user prefers Vim'])
    expect(preferences.map(({ value }) => value)).toEqual(['pnpm'])
    expect(decisions.map(({ description }) => description)).toEqual(['Use Vue for frontend'])
    for (const current of ['Vim', 'pnpm', 'Vue']) expect(text).toContain(current)
    expect(text).not.toMatch(/VS Code|\bnpm\b|React/)
  })

  row('004-21', () => {
    expect(factsOf(heard('I prefer VS Code'))).toEqual(['user prefers VS Code'])
    const conversation = heard('I prefer VS Code', 'Actually, I prefer Vim')
    expect(factsOf(conversation)).toEqual(['user prefers Vim'])
    const [old, current] = conversation.store.getAllUserFacts()
    expect([old?.fact, old?.supersededBy]).toEqual(['user prefers VS Code', current?.id])
  })

  row('004-23', () => {
    const conversation = heard(
      { role: 'assistant', text: 'Use React for frontend' },
      { role: 'user', text: 'Vue would be better for this use case' },
    )
    const { store } = conversation
    expect(store.getDecisions().map(({ description }) => description)).toEqual([
      'Use Vue for frontend',
    ])
    const [old, current] = store.getAllDecisions()
    expect([old?.description, old?.supersededBy]).toEqual(['Use React for frontend', current?.id])
    // The reason for the old decision is none for the new one.
    const reasoned = heard(
      { role: 'assistant', text: 'Decision: use React for frontend because the team knows React.' },
      'Vue would be better for this use case',
    )
    const said = reasoned.store.getDecisions().map(({ description }) => description)
    expect(said).toEqual([expect.stringMatching(/use Vue for frontend\.?$/i)])
  })

  row('004-34', () => {
    const { store } = heard('I use tabs for indentation', "Actually, let's use 2 spaces instead")
    expect(store.getPreferenceByKey('style', 'indentation')?.value).toBe('2 spaces')
    expect(store.getAllPreferences().map(({ value }) => value)).toEqual(['tabs', '2 spaces'])
  })

  row('004-35', () => {
    const said = (text: string): SpokenMessage => ({ role: 'assistant', text: `Decision: ${text}` })
    const { store } = heard(
      said('Use PostgreSQL'),
      said('Use MongoDB'),
      said('Use PostgreSQL with caching layer'),
    )
    const all = store.getAllDecisions()
    expect(all.map(({ supersededBy }) => supersededBy)).toEqual([all[1]?.id, all[2]?.id, undefined])
    expect(
      store
        .getDecisions()
        .map(({ description }) => description)
        .join(),
    ).toContain('caching layer')
  })

  row('004-36', () => {
    const { store } = heard("I'm a junior developer", "Actually, I'm a senior developer now")
    const [old, current] = store.getAllUserFacts()
    expect(old?.fact).toContain('junior developer')
    expect(current?.fact).toContain('senior developer')
    expect(old?.supersededBy).toBe(current?.id)
    expect(current!.confidence).toBeGreaterThan(old!.confidence)
  })
})

describe('conflicts', () => {
  row('004-25', async () => {
    expect(factsOf(heard('I work at Acme.', 'I work at Globex now.')).join()).not.toContain('Acme')
    const told = ['My team has four developers', 'My team has five developers']
    const unknown = heard(...told)
    expect(factsOf(unknown)).toEqual(told)
    expect(findPatterns(unknown.store.memory.state).openFlags).toBe(1)
    expect(unknown.getCurrentContext().text).toContain(
      'may have changed: My team has four developers; said later: My team has five developers',
    )
    expect(findPatterns(heard(told[0]!).store.memory.state).openFlags).toBe(0)
    const listed = await toReview('facts', ...told)
    for (const each of told) expect(listed).toContain(`“${each}”`)
    expect(await toReview('known', 'I work at Acme.', 'I work at Globex now.')).toContain(
      'nothing to review',
    )
  })

  row('004-26', async () => {
    const decided = (what: string): string => `We decided to retry failed requests ${what} times`
    const unknown = heard(decided('three'), decided('five'))
    expect(unknown.store.getDecisions().length).toBe(2)
    expect(findPatterns(unknown.store.memory.state).openFlags).toBe(1)
    const listed = await toReview('decisions', decided('three'), decided('five'))
    for (const what of ['three', 'five']) expect(listed).toContain(`“${decided(what)}”`)
    const known = heard('We decided to use Kafka', 'We decided to use RabbitMQ instead')
    expect(
      known.store
        .getDecisions()
        .map(({ description }) => description)
        .join(),
    ).not.toContain('Kafka')
  })

  row('004-27', async () => {
    /** What a second conversation is told of what the user said in the first. */
    const told = async (learn: boolean): Promise<string> => {
      const given = { memory: { inject: true, learn } }
      const { conversation, hooks } = await hostedPlugin({ given })
      const first = conversation('s1')
      for (const words of ['We use npm.', 'not npm, use pnpm']) {
        first.say(words)
        await first.request()
        first.answered('Done.')
      }
      // Reading happens behind the request.
      let asked = 1
      const said = async (): Promise<string> => {
        const later = conversation(`s${++asked}`)
        later.say('Set it up.')
        return saidIn(await later.request()).join('\n')
      }
      if (learn) await expect.poll(said, { timeout: 10_000 }).toContain('pnpm')
      else await new Promise((resolve) => setTimeout(resolve, 300))
      const found = await said()
      await hooks.dispose()
      return found
    }
    const said = await told(true)
    expect(said).toContain('package manager: pnpm')
    expect(said).not.toMatch(/\bnpm\b/)
    expect(await told(false)).not.toContain('pnpm')
  })
})

describe('corrections', () => {
  /** What the sentence is taken for, and what it does to what was said before. */
  const corrects = (before: string, sentence: string, expected: object): void => {
    expect(new ContextExtractor().extractCorrections(sentence)).toEqual([
      expect.objectContaining(expected),
    ])
    expect(new ContextExtractor().extractCorrections(before)).toEqual([])
    expect(valuesOf(heard(before)).length + factsOf(heard(before)).length).toBe(1)
    const context = heard(before, sentence).getCurrentContext().text
    expect(context).toContain((expected as { new: string }).new)
    expect(heard(before).getCurrentContext().text).not.toContain((expected as { new: string }).new)
  }

  row('004-28', () => corrects('We use npm', 'not npm, use pnpm', { old: 'npm', new: 'pnpm' }))
  row('004-29', () =>
    corrects('I use VS Code', 'change from VS Code to Zed', { old: 'VS Code', new: 'Zed' }),
  )
  row('004-30', () => corrects('We use MySQL', 'I meant Postgres', { new: 'Postgres' }))
  row('004-31', () => corrects('We use MySQL', 'actually, Postgres', { new: 'Postgres' }))
  row('004-32', () => corrects('We use npm', 'instead of npm, do bun', { old: 'npm', new: 'bun' }))

  row('004-33', () => {
    const corrected = heard('We use npm', 'not npm, use pnpm')
    expect(valuesOf(corrected)).toEqual(['pnpm'])
    const [old, current] = corrected.store.getAllPreferences()
    expect([old?.value, old?.supersededBy]).toEqual(['npm', current?.id])
    expect(valuesOf(heard('I use tabs.', 'not tabs, use spaces'))).toEqual(['spaces'])
  })
})

describe('patterns', () => {
  const patternsAfter = (...values: readonly string[]): ReturnType<typeof findPatterns> => {
    const store = LocalMemoryStore.inMemory()
    for (const value of values)
      store.addPreference({ category: 'tooling', key: 'package manager', value })
    return findPatterns(store.memory.state)
  }

  row('004-37', () => {
    expect(patternsAfter('npm', 'pnpm').unstable).toEqual([])
    expect(patternsAfter('npm', 'pnpm', 'yarn', 'bun').unstable).toEqual([
      expect.objectContaining({
        kind: 'preference',
        values: ['npm', 'pnpm', 'yarn', 'bun'],
        changes: 3,
      }),
    ])
    expect(patternsAfter('npm', 'pnpm', 'npm').unstable).toEqual([
      expect.objectContaining({ flipFlops: 1 }),
    ])
  })

  row('004-38', () => {
    const store = LocalMemoryStore.inMemory()
    for (const description of ['Use PostgreSQL', 'Use MongoDB', 'Use MySQL', 'Use SQLite'])
      store.addDecision({ description, category: 'architecture' })
    const { unstable, categories } = findPatterns(store.memory.state)
    expect(unstable).toEqual([expect.objectContaining({ kind: 'decision', changes: 3 })])
    expect(unstable[0]?.advice).toContain('often reversed')
    expect(categories).toEqual([{ category: 'architecture', items: 4, conflicts: 3 }])
  })

  row('004-39', () => {
    const [often] = patternsAfter('npm', 'pnpm', 'yarn', 'bun').unstable
    expect(often?.advice).toContain('confirm the package manager at the start of a task')
    const [back] = patternsAfter('npm', 'pnpm', 'npm').unstable
    expect(back?.advice).toMatch(/ask “.*\?” before relying on the package manager/)
  })
})
