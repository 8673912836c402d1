import { describe, expect, it } from 'vitest'
import { priceReceipts } from './priced-receipts.ts'
import { readReceipt, type StoredReceipt } from './request-receipt.ts'

const minute = 60_000
const model = 'claude-sonnet-4-5'

function receipt(over: Record<string, unknown>): StoredReceipt {
  const found = readReceipt({ kind: 'request', at: 0, model, turn: 1, saved: 0.5, ...over })
  if (found === null) throw new Error('not a receipt')
  return found
}

const usage = (cacheRead: number, cacheWrite: number): object => ({
  input: cacheRead + cacheWrite,
  output: 10,
  cacheRead,
  cacheWrite,
})

describe('a priced receipt', () => {
  it('saves nothing by a request that the provider refused', () => {
    const tokens = { before: 9_000_000, after: 1000 }
    const [refused, hoped] = priceReceipts([
      receipt({ tokens, status: 413 }),
      receipt({ tokens, status: 200 }),
    ])
    expect([refused?.savedDollars, hoped?.savedDollars]).toEqual([null, 0.5])
  })

  const first = receipt({ tokens: { before: 1000, after: 1000 }, usage: usage(0, 1000) })

  it('saves what usage shows: the part that was left out, read from the same cache', () => {
    const second = receipt({
      at: minute,
      tokens: { before: 2000, after: 1500 },
      usage: usage(1000, 500),
    })
    const [one, two] = priceReceipts([first, second])
    expect(one).toMatchObject({
      savedDollars: 0,
      basis: 'usage',
      cache: { outcome: 'miss', cause: 'first' },
    })
    // Without us: 1,000 read and 1,000 written; with us: 1,000 read and 500 written at 1.25 × $3 a million.
    expect(two?.savedDollars).toBeCloseTo((500 * 1.25 * 3) / 1e6, 10)
    expect(two).toMatchObject({ cache: { outcome: 'hit', cause: null, idleMs: minute } })
  })

  it('claims nothing for what another session had put into the cache', () => {
    const whole = receipt({ tokens: { before: 1000, after: 1000 }, usage: usage(900, 100) })
    expect(priceReceipts([whole])[0]?.savedDollars).toBe(0)
    const shortened = receipt({ tokens: { before: 1500, after: 1000 }, usage: usage(900, 100) })
    expect(priceReceipts([shortened])[0]?.savedDollars).toBeCloseTo((500 * 1.25 * 3) / 1e6, 10)
  })

  it('costs nothing where nothing was left out and the provider read most of what it had', () => {
    const next = receipt({
      at: minute,
      tokens: { before: 1400, after: 1400 },
      usage: usage(850, 550),
    })
    const [, priced] = priceReceipts([first, next])
    expect(priced).toMatchObject({ savedDollars: 0, cache: { outcome: 'hit' } })
  })

  it('counts the cost of an epoch against us: without it, the cache would have been read', () => {
    const epoch = receipt({
      at: minute,
      opened: 'pays',
      tokens: { before: 1100, after: 1000 },
      usage: usage(100, 900),
    })
    const [, priced] = priceReceipts([first, epoch])
    expect(priced?.cache).toMatchObject({ outcome: 'part', cause: 'rewritten by an epoch' })
    const withUs = 100 * 0.1 + 900 * 1.25
    const without = 1000 * 0.1 + 100 * 1.25
    expect(priced?.savedDollars).toBeCloseTo(((without - withUs) * 3) / 1e6, 10)
    expect(priced?.savedDollars).toBeLessThan(0)
  })

  it.each([
    ['idle', { at: 6 * minute }],
    ['rewritten by the client', { at: minute, isPrefixChanged: true }],
    ['rewritten by the client', { at: minute, relation: 'edited' }],
    ['unknown', { at: minute }],
  ] as const)('blames nobody else for a miss: %s', (cause, over) => {
    const missed = receipt({
      ...over,
      tokens: { before: 2000, after: 1000 },
      usage: usage(0, 1000),
    })
    const [, priced] = priceReceipts([first, missed])
    expect(priced?.cache).toMatchObject({ outcome: 'miss', cause })
    // All of it would have been written without us.
    expect(priced?.savedDollars).toBeCloseTo((1000 * 1.25 * 3) / 1e6, 10)
  })

  it('is another model’s first when the model changed', () => {
    const other = receipt({
      at: minute,
      model: 'gpt-5.5',
      tokens: { before: 10, after: 10 },
      usage: usage(0, 10),
    })
    expect(priceReceipts([first, other])[1]?.cache?.cause).toBe('model')
  })

  it('falls back on the estimate without usage, and where usage is no count', () => {
    const none = receipt({ tokens: { before: 2000, after: 1000 }, usage: null })
    const constant = receipt({ tokens: { before: 90_000, after: 80_000 }, usage: usage(0, 10) })
    for (const priced of priceReceipts([none, constant]))
      expect(priced).toMatchObject({
        basis: 'estimate',
        savedDollars: 0.5,
        cache: null,
        dollars: null,
      })
  })

  it('is read from stores that were written before it had an agent', () => {
    expect(readReceipt({ turn: 1 })).toBeNull()
    expect(receipt({ tokens: { before: 2, after: 1 } })).toMatchObject({
      agent: null,
      billing: null,
      prefix: null,
      isPaused: false,
      restored: {},
      limits: null,
    })
  })
})
