import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openDocument } from './document.ts'
import { findValue } from './find-value.ts'
import { RawNode } from './raw-node.ts'

describe('a value found without a tree', () => {
  const keys = fc.constantFrom('a', 'b', 'ab', 'a b', '"', '\\', '')
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(1, 'a', '"a":', '{"a":1}', null, true, [], {}),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(keys, tie('json'), { maxKeys: 3 }),
    ),
  }))
  const path = fc.array(fc.oneof(fc.nat(2), keys), { maxLength: 4 })

  it('stands where the tree has it, or is left to the tree', () => {
    fc.assert(
      fc.property(json, path, fc.constantFrom(0, 1), (value, steps, indent) => {
        const text = JSON.stringify(value, null, indent)
        const found = findValue(text, 0, steps)
        const root = new RawNode(openDocument(text, 0, text.length), 0, text.length)
        const expected = root.at(steps)?.start ?? -1
        if (found !== -1 || (leads(value, steps) && !text.includes('\\'))) {
          expect(found).toBe(expected)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['the last of several members with its key', '{"a":1,"b":2,"a":3}', ['a'], 17],
    ['nothing where a key is spelled with an escape', '{"a":1,"\\u0061":3}', ['a'], -1],
    ['nothing in a string that looks like a member', '{"b":"\\"a\\":1"}', ['a'], -1],
    ['nothing behind the last element', '[1,2]', [2], -1],
    ['nothing in an empty list', '[]', [0], -1],
  ])('is %s', (_case, text, steps, at) => {
    expect(findValue(text, 0, steps)).toBe(at)
  })
})

/** True when each step goes into a list by a number or into an object by a key. */
function leads(value: unknown, steps: readonly (string | number)[]): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value) !== (typeof step === 'number') || !Object.hasOwn(value, step))
    return false
  return leads(Reflect.get(value, step), rest)
}
