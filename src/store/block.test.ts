import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Chain } from './block.ts'
import { bytesOf, hashOf } from './text-bytes.ts'

describe('a chain of blocks', () => {
  it('gives back every content, whatever stands before it', () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ maxLength: 50 }).map((text) => Buffer.from(text.repeat(400))),
      fc.constant(Buffer.alloc(0)),
    )
    fc.assert(
      fc.property(fc.array(content, { maxLength: 40 }), (contents) => {
        const writing = new Chain()
        const stored = contents.map((each) => writing.pack(Buffer.from(each)))
        const reading = new Chain()
        const read = stored.map((each) => reading.unpack(each))
        expect(read.map((each) => [...each])).toEqual(contents.map((each) => [...each]))
        expect(reading.hasRoom).toBe(writing.hasRoom)
      }),
    )
  })

  it('takes little room for what it has seen before, and is never larger by more than a byte', () => {
    const chain = new Chain()
    const random = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * at * 31) % 251))
    const [first, again] = [chain.pack(random), chain.pack(random)]
    expect(first.length).toBeLessThanOrEqual(random.length + 1)
    expect(again.length).toBeLessThan(100)
  })

  it('ends before reading it takes long: after many bytes or many blocks', () => {
    const long = new Chain()
    const blocks = new Chain()
    expect([long.hasRoom, blocks.hasRoom]).toEqual([true, true])
    long.pack(Buffer.alloc(200_000))
    for (let block = 0; block < 32; block++) blocks.pack(Buffer.from('x'))
    expect([long.hasRoom, blocks.hasRoom]).toEqual([false, false])
  })

  it('says that a block is damaged instead of giving something else', () => {
    const stored = new Chain().pack(Buffer.from('hello '.repeat(100)))
    const damaged = [
      Uint8Array.of(7, 1, 2),
      stored.subarray(0, stored.length - 3),
      Uint8Array.of(1),
    ]
    for (const each of damaged) {
      expect(() => new Chain().unpack(each)).toThrow(
        expect.objectContaining({ code: 'store-corrupt' }),
      )
    }
  })
})

describe('the bytes of a text', () => {
  it('are those of the text again, also with lone surrogates, and no two texts have one hash', () => {
    const unit = fc.oneof(
      fc.constantFrom('\ud800', '\udc00', '\0', 'a', '\u00ff', '🦉'),
      fc.string({ maxLength: 3 }),
    )
    const text = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''))
    const seen = new Map<string, string>()
    fc.assert(
      fc.property(text, (original) => {
        const { form, bytes } = bytesOf(original)
        expect(bytes.toString(form)).toBe(original)
        const key = hashOf({ form, bytes }).toString('hex')
        expect(seen.get(key) ?? original).toBe(original)
        seen.set(key, original)
      }),
    )
  })
})
