import { hash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ItemDraft } from '../words/item.ts'
import { hashMessage } from './content-hash.ts'

/** The definition, as one string. */
function defined(role: string, items: readonly ItemDraft[]): string {
  const identity = (item: ItemDraft): string => {
    if (item.kind === 'call') return `call ${JSON.stringify([item.tool, item.call])}`
    if (item.kind === 'result') return `result ${JSON.stringify([item.call, item.status])}`
    return item.kind
  }
  const parts = items.map((item) => `\n${identity(item)} ${item.text.length}\n${item.text}`)
  return hash('sha256', role + parts.join(''))
}

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
const name = fc.oneof(fc.stringMatching(/^[\w-]*$/), fc.string({ unit: 'binary' }))
const item: fc.Arbitrary<ItemDraft> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.record({ kind: fc.constant('call' as const), tool: name, call: name, text }),
  fc.record({
    kind: fc.constant('result' as const),
    tool: name,
    call: name,
    status: fc.constantFrom('ok' as const, 'error' as const, 'running' as const),
    text,
  }),
)

describe('the hash of a message', () => {
  it('is that of its definition, whatever characters it is made of', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), (items) => {
        expect(hashMessage({ role: 'user', items })).toBe(defined('user', items))
      }),
    )
  })

  it('is the same for texts of any length, half a character at their ends included', () => {
    for (const length of [1, 1_000, 87_000, 87_400, 150_000]) {
      for (const unit of ['a', 'é', '→', '\ud83d\ude00', '\ud83d']) {
        const items: ItemDraft[] = [
          { kind: 'text', text: unit.repeat(length) },
          { kind: 'text', text: `\ude00${unit}` },
        ]
        expect(hashMessage({ role: 'user', items })).toBe(defined('user', items))
      }
    }
  })
})
