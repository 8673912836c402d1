import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openDocument } from './document.ts'
import { findOnlyMember, findValue } from './find-value.ts'
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

describe('the only member of its key', () => {
  const keys = fc.constantFrom('a', 'b', 'ab', '"', '\\', 'é', '\u0001')
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(1, 'b', '"a":', '\\"a":1', 'x\\', null, true, [], {}),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(keys, tie('json'), { maxKeys: 3 }),
    ),
  }))

  it('stands where the tree has it, or is not found', () => {
    let found = 0
    fc.assert(
      fc.property(json, json, fc.nat(1), fc.boolean(), (b, a, indent, isEscaped) => {
        const spelled = JSON.stringify([{ b, a }], null, indent)
        const text = isEscaped ? spelled.replace('"a"', '"\\u0061"') : spelled
        const start = findOnlyMember(text, 0, text.length, 'a')
        const root = new RawNode(openDocument(text, 0, text.length), 0, text.length)
        const members = membersOf(root, 'a')
        if (start === -1) return
        found++
        expect(members.map((node) => node.start)).toEqual([start])
      }),
      { numRuns: 2_000 },
    )
    expect(found).toBeGreaterThan(100)
  })

  it('is left to others when something else is spelled as its key', () => {
    expect(findOnlyMember('{"a":{"a":1}}', 0, 13, 'a')).toBe(-1)
    expect(findOnlyMember('{"b":"a","a":1}', 0, 15, 'a')).toBe(-1)
  })
})

function membersOf(node: RawNode, key: string): readonly RawNode[] {
  return node.children.flatMap((child) => [
    ...(child.key === key ? [child.node] : []),
    ...membersOf(child.node, key),
  ])
}

/** True when each step goes into a list by a number or into an object by a key. */
function leads(value: unknown, steps: readonly (string | number)[]): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value) !== (typeof step === 'number') || !Object.hasOwn(value, step))
    return false
  return leads(Reflect.get(value, step), rest)
}
