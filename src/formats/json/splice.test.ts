import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Edit, removeFromList, splice } from './splice.ts'

describe('splicing', () => {
  it('gives the very same value when there is nothing to do', () => {
    const bytes = Buffer.from('abc')
    expect(splice(bytes, [])).toBe(bytes)
    expect(splice('abc', [])).toBe('abc')
  })

  it('makes edits in whatever order they come, in the form of the body', () => {
    const edits: Edit[] = [
      { start: 4, end: 6, text: 'é' },
      { start: 1, end: 1, text: '<' },
      { start: 1, end: 2, text: '' },
    ]
    expect(splice('abcdefg', edits)).toBe('a<cdég')
    expect(splice(Buffer.from('abcdefg'), edits)).toEqual(Buffer.from('a<cdég'))
    const plain = splice(new TextEncoder().encode('abcdefg'), edits)
    expect(plain).toEqual(new TextEncoder().encode('a<cdég'))
    expect(Buffer.isBuffer(plain)).toBe(false)
  })

  it('gives only what stands behind an offset', () => {
    const edits: Edit[] = [{ start: 4, end: 6, text: 'é' }]
    expect(splice('abcdefg', edits, 3)).toBe('dég')
    expect(splice(Buffer.from('abcdefg'), edits, 3)).toEqual(Buffer.from('dég'))
    expect(splice('abcdefg', [], 3)).toBe('defg')
    expect(splice(Buffer.from('abcdefg'), [], 3)).toEqual(Buffer.from('defg'))
  })

  it('takes members out of a list with their commas, any of them but all', () => {
    const lists = fc.array(fc.tuple(fc.constantFrom('1', '"a, b"', '{}'), fc.boolean()), {
      minLength: 1,
    })
    fc.assert(
      fc.property(lists, (members) => {
        const kept = members.filter(([, stays]) => stays)
        fc.pre(kept.length > 0)
        let text = '['
        const spans = members.map(([member], index) => {
          text += index === 0 ? ' ' : ' ,\n'
          const start = text.length
          text += member
          return { start, end: text.length }
        })
        text += ' ]'
        const removed = new Set(members.flatMap(([, stays], index) => (stays ? [] : [index])))
        const spliced = splice(text, removeFromList(spans, removed))
        expect(JSON.parse(String(spliced))).toEqual(kept.map(([member]) => JSON.parse(member)))
      }),
    )
  })
})
