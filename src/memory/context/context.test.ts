import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../core/record/tokens.ts'
import { createInMemoryLog } from '../log/memory-log.ts'
import { Memory } from '../memory.ts'
import { observe } from '../observe.ts'
import { contextChanges } from './changes.ts'
import { memoryContext } from './context.ts'

const place = { project: 'shop', session: 'monday' }

function open(): Memory {
  let clock = 1_000
  let count = 0
  return new Memory({
    log: createInMemoryLog(),
    now: () => clock++,
    newId: (kind) => `${kind}_${++count}`,
  })
}

function say(memory: Memory, ...texts: readonly string[]): void {
  for (const text of texts) {
    const id = String(memory.state.heard.size + 1)
    observe(memory, { id, role: 'user', text }, place)
  }
}

describe('what a model is told', () => {
  it('holds current items only, decisions among them', () => {
    const memory = open()
    say(memory, 'We use npm here.', 'not npm, use pnpm', 'We decided to use Vue')
    expect(memoryContext(memory, place)).toBe(
      'Preferences:\n- package manager: pnpm\n\nDecisions:\n- We decided to use Vue',
    )
  })

  it('shows the closest scope of a preference, and no other session’s', () => {
    const memory = open()
    const base = { kind: 'preference', category: 'style', attribute: 'indentation' } as const
    memory.add({ ...base, text: 'indentation: tabs', value: 'tabs', scope: 'user' })
    memory.add({
      ...base,
      text: 'indentation: 2 spaces',
      value: '2 spaces',
      scope: 'session:monday',
    })
    memory.add({
      ...base,
      text: 'indentation: 8 spaces',
      value: '8 spaces',
      scope: 'session:sunday',
    })
    expect(memoryContext(memory, place)).toBe('Preferences:\n- indentation: 2 spaces')
    expect(memoryContext(memory, { ...place, session: 'tuesday' })).toBe(
      'Preferences:\n- indentation: tabs',
    )
  })

  it('keeps any budget', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 80 }), { maxLength: 15 }),
        fc.nat(200),
        (texts, budgetTokens) => {
          const memory = open()
          for (const text of texts) memory.add({ kind: 'fact', text })
          const context = memoryContext(memory, place, { budgetTokens })
          expect(estimateTokens(context)).toBeLessThanOrEqual(budgetTokens)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('is the same text for the same memory, and later items come after earlier ones', () => {
    const memory = open()
    for (const text of ['one', 'two', 'three']) memory.add({ kind: 'fact', text })
    const before = memoryContext(memory, place)
    expect(memoryContext(memory, place)).toBe(before)
    memory.add({ kind: 'fact', text: 'four' })
    expect(memoryContext(memory, place)).toBe(`${before}\n- four`)
  })

  it('tells what changed since, so that what was sent before can stay as it is', () => {
    const memory = open()
    say(memory, 'We use npm here.')
    const since = memory.state.recordedAt
    say(memory, 'not npm, use pnpm')
    expect(contextChanges(memory, place, since)).toEqual(['- package manager: pnpm (was: npm)'])
  })

  it('quotes what was said in answer to a question, without what later words replaced', () => {
    const memory = open()
    say(
      memory,
      'The demo for Globex is at 3 PM.',
      'Update: the demo for Globex was moved to 11 AM.',
      'Is the projector ready?',
      'Maybe we could show the dashboard.',
    )
    expect(memoryContext(memory, place, { query: 'When is the Globex demo?' })).toBe(
      'Said before:\n- Update: the demo for Globex was moved to 11 AM.',
    )
    expect(memoryContext(memory, place)).toBe('')
  })

  it('leaves a side topic out of an answer about the matter', () => {
    const memory = open()
    say(
      memory,
      'Agreed on a 3-year term with CloudCorp',
      'Hold on - a call about the office party',
      'Cake was ordered for 40 people',
      'Back to CloudCorp',
    )
    const context = memoryContext(memory, place, {
      query: 'What term did we agree with CloudCorp?',
    })
    expect(context).toContain('3-year term')
    expect(context).not.toContain('Cake')
    expect(
      memoryContext(memory, place, { query: 'How many people is the cake ordered for?' }),
    ).toContain('Cake')
  })
})
