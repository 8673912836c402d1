import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addCall,
  addOrderedCall,
  answerById,
  answerInOrder,
  type CallIndex,
  callOfId,
  noCalls,
  startTurn,
} from './call-index.ts'
import { emptyMap } from './persistent-map.ts'

describe('a persistent map', () => {
  it('holds what a Map holds, and so does every earlier one', () => {
    const keys = fc.oneof(
      fc.string({ maxLength: 3 }),
      fc.constantFrom('__proto__', 'a', 'costarring', 'liquid'),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.nat(), fc.nat(5))), (entries) => {
        const versions = [{ map: emptyMap<number>(), expected: new Map<string, number>() }]
        for (const [key, value, back] of entries) {
          // Most go on from the newest, and some from one that others went on from.
          const { map, expected } = versions.at(-1 - Math.max(0, back - 2)) ?? versions[0]!
          versions.push({ map: map.set(key, value), expected: new Map(expected).set(key, value) })
        }
        for (const version of versions) {
          for (const [key] of entries) expect(version.map.get(key)).toBe(version.expected.get(key))
        }
      }),
    )
  })
})

describe('the calls of a conversation', () => {
  /** Makes ordered calls one after the other. */
  const make = (calls: CallIndex, ...made: [string, string | null][]): CallIndex =>
    made.reduce((index, [tool, id]) => addOrderedCall(index, tool, id).calls, calls)

  it('gives a result the tool of the latest call with its id', () => {
    const first = addCall(noCalls, 'call_0', 'read')
    const second = addCall(first.calls, 'call_0', 'write')
    expect(callOfId(first.calls, 'call_0')).toEqual({ call: 'call_0', tool: 'read' })
    expect(callOfId(second.calls, 'call_0')).toEqual({ call: 'call_0#2', tool: 'write' })
    expect(callOfId(noCalls, 'call_0')).toEqual({ call: 'call_0', tool: '' })
  })

  it('pairs results without an id in the order of the calls of their tool', () => {
    const calls = make(noCalls, ['read', null], ['ls', 'l1'], ['read', null])
    const first = answerInOrder(calls, 'read')
    const second = answerInOrder(first.calls, 'read')
    expect(first.known).toEqual({ call: 'read#1', tool: 'read' })
    expect(second.known).toEqual({ call: 'read#2', tool: 'read' })
    expect(answerInOrder(calls, 'ls').known).toEqual({ call: 'l1', tool: 'ls' })
  })

  it('does not let an unanswered call of an earlier turn take a later result', () => {
    const calls = make(startTurn(make(noCalls, ['read', null])), ['read', null])
    expect(answerInOrder(calls, 'read').known.call).toBe('read#2')
  })

  it('goes on after a call that was answered by its id', () => {
    const calls = make(noCalls, ['read', 'r1'], ['read', 'r2'])
    const answered = answerById(calls, callOfId(calls, 'r1'))
    expect(answerInOrder(answered, 'read').known.call).toBe('r2')
  })

  it('gives a result without a call an id that no later call takes', () => {
    const orphan = answerInOrder(noCalls, 'read')
    expect(orphan.known).toEqual({ call: 'read#1', tool: 'read' })
    expect(addOrderedCall(startTurn(orphan.calls), 'read', null).known.call).toBe('read#2')
  })
})
