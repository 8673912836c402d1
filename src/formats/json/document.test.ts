import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commonPrefixLength, findInvalidUtf8, openDocument } from './document.ts'
import { RawNode } from './raw-node.ts'

describe('the common prefix of two bodies', () => {
  it('is what a loop over both would find', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (shared, one, other) => {
        const left = shared + one
        const right = shared + other
        let length = 0
        while (length < Math.min(left.length, right.length) && left[length] === right[length]) {
          length++
        }
        expect(commonPrefixLength(left, right)).toBe(length)
        const latin = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, 'latin1')
        expect(commonPrefixLength(latin(shared + one), latin(shared + one))).toBe(left.length)
      }),
    )
  })

  it('is nothing between text and bytes', () => {
    expect(commonPrefixLength('abc', Buffer.from('abc'))).toBe(0)
    expect(commonPrefixLength(Buffer.from('abc'), new Uint8Array([97, 98]))).toBe(2)
  })
})

describe('invalid UTF-8', () => {
  it.each([
    ['nothing wrong', [0x61, 0xc3, 0xa9], -1],
    ['a lone continuation', [0x61, 0x80], 1],
    ['an overlong form', [0xc0, 0x80], 0],
    ['half a character at the end', [0x61, 0xe2, 0x82], 1],
    ['a surrogate', [0x61, 0x62, 0xed, 0xa0, 0x80], 2],
    ['a byte that never occurs', [0xc3, 0xa9, 0xff], 2],
  ])('with %s', (_case, bytes, at) => {
    expect(findInvalidUtf8(Uint8Array.from(bytes), 0)).toBe(at)
  })
})

describe('a document', () => {
  const text = '{"é":[1, "→"],"a":{"b":true},"a":"\\u0061"}'

  it.each([
    ['text', text],
    ['bytes', Buffer.from(text)],
  ])('shows the values of %s as they are spelled', (_form, body) => {
    const document = openDocument(body, 0, body.length)
    const root = new RawNode(document, 0, document.scan.length)
    expect(root.children.map(({ key, node }) => [key, node.rawText])).toEqual([
      ['é', '[1, "→"]'],
      ['a', '{"b":true}'],
      ['a', '"\\u0061"'],
    ])
    expect(root.at(['é', 1])?.rawText).toBe('"→"')
    expect(root.at(['a', 'b'])).toBeNull()
    expect(root.child('a')?.rawText).toBe('"\\u0061"')
  })

  it('counts from its own beginning when it is a stretch of a body', () => {
    const bytes = Buffer.from('→ [1,"é"] x')
    const document = openDocument(bytes, 4, bytes.length - 2)
    expect(new RawNode(document, 0, document.scan.length).child(1)?.rawText).toBe('"é"')
    expect(document.base).toBe(4)
  })
})
