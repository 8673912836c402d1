import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleOperation } from '../../../test/core/sample-operation.ts'
import type { Reason } from '../decision.ts'
import type { Action } from '../record/action.ts'
import { inputNote, withNote } from '../render/input-note.ts'
import { brief, placeholderFor } from '../render/placeholder.ts'
import { pointerTo, rereadPointer } from '../render/pointer.ts'
import { purgedError } from '../render/purged-error.ts'
import type { Operation } from '../track/operation.ts'
import { isStandIn } from './stand-in.ts'

const reasons = Object.keys(brief) as readonly Reason[]
const actions: readonly Action[] = [
  { kind: 'read', path: 'src/app.ts', lines: null },
  { kind: 'search', pattern: '[a-z] [', path: 'src', include: null },
  { kind: 'list', op: 'write', tasks: [] },
  { kind: 'other' },
]
const handle = fc.stringMatching(/^[0-9a-f]{6,8}$/)

function withHandle(operation: Operation, handle: string): Operation {
  const { result } = operation
  return result === null ? operation : { ...operation, result: { ...result, handle } }
}

describe('a line that says where something is', () => {
  it('is every placeholder and pointer, however short the original was', () => {
    const some = fc.record({
      handle,
      action: fc.constantFrom(...actions),
      by: fc.option(fc.constantFrom(...actions)),
      reason: fc.constantFrom(...reasons),
      length: fc.integer({ min: 12, max: 200 }),
      turn: fc.integer({ min: 1, max: 2000 }),
      restore: fc.constantFrom(null, 'context_restore', "'/home/a b/restore'", 'fetch_original'),
      isStripped: fc.boolean(),
    })
    fc.assert(
      fc.property(some, ({ handle, action, by, reason, length, turn, restore, isStripped }) => {
        const text = 'x'.repeat(length)
        const older = withHandle(sampleOperation({ action, turn, output: text }), handle)
        const newer = by === null ? null : sampleOperation({ action: by, turn: turn + 1 })
        const written = [
          placeholderFor(older, newer, reason, { handle, restore }),
          pointerTo(older, { text, handle }, restore),
          rereadPointer('src/my file.ts', text, { handle, restore }),
          purgedError(older, restore),
        ]
          .filter((each) => each !== null)
          .map((each) => (isStripped ? withNote(each, inputNote('a1b2c3')) : each))
        expect(written.filter((each) => !isStandIn(each))).toEqual([])
      }),
    )
  })

  it.each([
    '[a1b2c3]',
    '[replaced · a1b2c3]',
    '[same as at turn 12 · a1b2c3]',
    '[Re-read of src/a b.ts - see earlier read for content] [a1b2c3]',
    '[$ npm test · old output · mcp__palimpsest__context_restore a1b2c3]',
    '[$ npm test · old output · palimpsest restore a1b2c3]',
    '[lookup · repeated at turn 2 · restore a1b2c3]',
    '[image/png a1b2c3]',
    '[image/png, 34 KB · /home/a/restore a1b2c3]',
    '[read a.ts · replaced by edit at turn 14 · a1b2c3]',
    "[$ npm test · old output · '/home/a b/restore' a1b2c3]",
    '[write a.ts · replaced by edit at turn 14 · a1b2c3]\n[input left out · d4e5f6]',
    '[Old tool result content cleared]',
  ])('is known in all the words that doors put it in: %s', (text) => {
    expect(isStandIn(text)).toBe(true)
  })

  it.each([
    '[100001, 100003]',
    '[100001, 100002, 123456]',
    '[main deadbee]',
    '[main 1a2b3c4]',
    '[build failed · 123456]',
    '[done 123456]',
    '["a", "b" 123456]',
    'replaced · a1b2c3',
    '[replaced · a1b2c3] and more',
    '[replaced · a1b2c3]\n',
  ])('is not what a tool says: %s', (text) => {
    expect(isStandIn(text)).toBe(false)
  })
})
