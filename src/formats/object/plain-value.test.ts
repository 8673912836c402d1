import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainCopy } from './plain-value.ts'

describe('a plain copy', () => {
  it('says what JSON would say', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(plainCopy(value))).toBe(JSON.stringify(value))
      }),
    )
    const odd = {
      date: new Date(0),
      url: new URL('https://example.test/'),
      gone: undefined,
      not: NaN,
    }
    expect(JSON.stringify(plainCopy(odd))).toBe(JSON.stringify(odd))
  })

  it('keeps a member named __proto__ as a member', () => {
    const text = '{"a":{"__proto__":{"b":1}},"constructor":2}'
    expect(JSON.stringify(plainCopy(JSON.parse(text)))).toBe(text)
  })

  it('describes bytes, the same for the same content and another for other content', () => {
    const [one, same, other] = [Uint8Array.of(1, 2), Uint8Array.of(1, 2), Uint8Array.of(1, 3)]
    expect(plainCopy([one])).toEqual([
      { byteLength: 2, sha256: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ])
    expect(plainCopy(one)).toEqual(plainCopy(same))
    expect(plainCopy(one.buffer)).toEqual(plainCopy(same))
    expect(plainCopy(one)).not.toEqual(plainCopy(other))
  })

  it('leaves out where a client wants its cache to end, at any depth', () => {
    const marked = { a: [{ cacheControl: 1, b: { cache_control: 2, cachePoint: 3, c: 4 } }] }
    expect(plainCopy(marked)).toEqual({ a: [{ b: { c: 4 } }] })
  })
})
