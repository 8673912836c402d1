import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { MemoryKind, Scope } from '../item.ts'
import { createInMemoryLog, type MemoryLog } from '../log/memory-log.ts'
import { Memory } from '../memory.ts'
import { itemsAsOf } from './as-of.ts'
import { chainOf } from './chain.ts'
import { checkState } from './check.ts'

type Step =
  | { readonly kind: 'add'; readonly what: number; readonly value: number; readonly ago: number }
  | { readonly kind: 'link'; readonly old: number; readonly new: number }
  | { readonly kind: 'retract' | 'undo' | 'forget'; readonly item: number }

const index = fc.nat(40)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      what: fc.nat(11),
      value: fc.nat(3),
      ago: fc.nat(50),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('link' as const), old: index, new: index }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('retract' as const, 'undo' as const, 'forget' as const),
      item: index,
    }),
  },
)

const kinds: readonly MemoryKind[] = ['fact', 'preference', 'decision']
const scopes: readonly Scope[] = ['user', 'project:p', 'session:s']

function open(log: MemoryLog): { readonly memory: Memory; readonly time: () => number } {
  let clock = 1_000
  let count = 0
  const memory = new Memory({
    log,
    now: () => clock++,
    newId: (kind) => `${kind}_${++count}`,
  })
  return { memory, time: () => clock }
}

/** Does a step, or finds it refused with a reason. */
function perform(memory: Memory, now: number, action: Step): void {
  const ids = [...memory.state.items.keys()]
  const pick = (at: number): string => ids[at % Math.max(1, ids.length)] ?? 'none'
  try {
    switch (action.kind) {
      case 'add':
        memory.add({
          kind: kinds[action.what % 3]!,
          scope: scopes[Math.floor(action.what / 3) % 3]!,
          text: `value ${action.value}`,
          category: 'tooling',
          subject: 'user',
          ...(action.what === 11 ? {} : { attribute: action.what > 8 ? 'hobby' : 'editor' }),
          value: String(action.value),
          validFrom: now - action.ago,
          source: { origin: action.ago % 5 === 0 ? 'assistant' : 'user' },
        })
        break
      case 'link':
        memory.supersede(pick(action.old), pick(action.new))
        break
      case 'retract':
        memory.retract(pick(action.item))
        break
      case 'undo':
        memory.undo(pick(action.item))
        break
      case 'forget':
        memory.forget([pick(action.item)])
        break
    }
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error
  }
}

const names = (memory: Memory, now: number, recorded?: number): readonly string[] =>
  itemsAsOf(memory.state, now, recorded === undefined ? {} : { recorded }).map(
    ({ item }) => item.id,
  )

describe('any history of a memory', () => {
  it('breaks no invariant, whatever is added, linked, retracted, undone and forgotten', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { memory, time } = open(createInMemoryLog())
        for (const action of steps) {
          perform(memory, time(), action)
          expect(checkState(memory.state, time() + 1_000)).toEqual([])
        }
      }),
      { numRuns: 400 },
    )
  })

  it('is told again by its log, item by item', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const log = createInMemoryLog()
        const { memory, time } = open(log)
        for (const action of steps) perform(memory, time(), action)
        const again = open(log).memory
        expect(names(again, time())).toEqual(names(memory, time()))
        expect([...again.state.tombstones.keys()]).toEqual([...memory.state.tombstones.keys()])
      }),
      { numRuns: 200 },
    )
  })

  it('answers as of a recorded time as it did then, whatever came later', () => {
    const remembered = step.filter((action) => action.kind !== 'forget')
    fc.assert(
      fc.property(fc.array(remembered, { maxLength: 30 }), (steps) => {
        const { memory, time } = open(createInMemoryLog())
        const answers: {
          readonly at: number
          readonly valid: number
          readonly ids: readonly string[]
        }[] = []
        for (const action of steps) {
          perform(memory, time(), action)
          const at = memory.state.recordedAt
          answers.push({ at, valid: at, ids: names(memory, at) })
        }
        for (const { at, valid, ids } of answers) expect(names(memory, valid, at)).toEqual(ids)
      }),
      { numRuns: 200 },
    )
  })

  it('has the same timeline whichever order the news arrives in', () => {
    const news = fc.uniqueArray(fc.record({ day: fc.nat(20), value: fc.nat(4) }), {
      selector: ({ day }) => day,
      maxLength: 8,
    })
    fc.assert(
      fc.property(news, fc.infiniteStream(fc.nat()), (list, random) => {
        const timeline = (order: typeof list): readonly (string | undefined)[] => {
          const { memory, time } = open(createInMemoryLog())
          for (const { day, value } of order)
            memory.add({
              kind: 'preference',
              text: String(value),
              category: 'tooling',
              attribute: 'editor',
              value: String(value),
              validFrom: day,
            })
          return Array.from({ length: 21 }, (_, day) => {
            const held = itemsAsOf(memory.state, time(), { valid: day })
            expect(held.length).toBeLessThanOrEqual(1)
            return held[0]?.item.value
          })
        }
        const shuffled = list
          .map((entry) => ({ entry, place: random.next().value }))
          .sort((a, b) => a.place - b.place)
          .map(({ entry }) => entry)
        const sorted = list.toSorted((a, b) => a.day - b.day)
        expect(timeline(shuffled)).toEqual(timeline(sorted))
      }),
      { numRuns: 300 },
    )
  })

  it('shows the same chain from each of its members', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { memory, time } = open(createInMemoryLog())
        for (const action of steps) perform(memory, time(), action)
        for (const id of memory.state.items.keys()) {
          const chain = chainOf(memory.state, id).map(({ item }) => item.id)
          expect(chain).toContain(id)
          for (const member of chain)
            expect(chainOf(memory.state, member).map(({ item }) => item.id)).toEqual(chain)
        }
      }),
      { numRuns: 100 },
    )
  })
})
