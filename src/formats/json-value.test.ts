import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameJson } from './json-value.ts'

describe('sameJson', () => {
  it('finds a value equal to itself parsed again', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(sameJson(JSON.parse(text), JSON.parse(text))).toBe(true)
      }),
    )
  })

  it('finds two values equal only when they are written alike', () => {
    const values = fc.jsonValue({ depthSize: 'small' })
    fc.assert(
      fc.property(values, values, (one, other) => {
        // -0 is written as 0.
        const [first, second] = [one, other].map((value) => JSON.parse(JSON.stringify(value)))
        expect(sameJson(first, second)).toBe(sorted(first) === sorted(second))
      }),
    )
  })

  it('does not care about the order of keys, and leaves out the key it is told to ignore', () => {
    const one = { a: 1, b: [{ cache_control: { ttl: '1h' }, c: null }] }
    const other = { b: [{ c: null }], a: 1 }
    expect(sameJson(one, other, { ignoring: 'cache_control' })).toBe(true)
    expect(sameJson(one, other)).toBe(false)
  })

  it('tells a missing key from one that is null', () => {
    expect(sameJson({ a: null }, { b: null })).toBe(false)
    expect(sameJson({ a: null }, {})).toBe(false)
  })
})

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
