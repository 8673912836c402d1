import { describe, expect, it } from 'vitest'
import { type CacheModel, createCacheModel } from './cache-model.ts'
import type { CachePiece } from './cache-rules.ts'
import { modelFacts } from './models/model-facts.ts'

const minute = 60_000
const claude = (): CacheModel => createCacheModel(modelFacts('claude-sonnet-4-5'))
const upTo = (count: number): CachePiece[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${at}`, tokens: 5000 }))

/** A session of `count` requests, a minute apart, each a piece longer, whose answers are what `real` makes of its length. */
function run(
  cache: CacheModel,
  count: number,
  real: (pieces: number) => { input: number; cacheRead: number; cacheWrite: number },
): void {
  for (let length = 1; length <= count; length++)
    cache.send({ pieces: upTo(length), at: length * minute }).correct(real(length))
}

const asWritten = (hidden: number, factor: number) => (pieces: number) => {
  const size = (count: number): number => hidden + factor * 5000 * count
  const cacheRead = pieces === 1 ? 0 : size(pieces - 1)
  return { input: size(pieces), cacheRead, cacheWrite: size(pieces) - cacheRead }
}

describe('the figures of answers', () => {
  it('teach how large the unseen part is, and what an estimated token counts', () => {
    const cache = claude()
    run(cache, 20, asWritten(30_000, 1.5))
    const { read, written } = cache.predict({ pieces: upTo(21), at: 21 * minute })
    expect(read).toBe(30_000 + 1.5 * 100_000)
    expect(Math.abs(written - 7500)).toBeLessThan(300)
    expect(Math.abs(cache.factor - 1.5)).toBeLessThan(0.05)
  })

  it('teach the lifetime, by what was written for an hour and by what was there after all', () => {
    const told = claude()
    told.send({ pieces: upTo(4), at: 0 }).correct({
      input: 20_000,
      cacheRead: 0,
      cacheWrite: 20_000,
      cacheWriteLong: 20_000,
    })
    expect(told.lifetimeMs).toBe(60 * minute)
    expect(told.predict({ pieces: upTo(5), at: 50 * minute }).read).toBe(20_000)

    const found = claude()
    found
      .send({ pieces: upTo(4), at: 0 })
      .correct({ input: 20_000, cacheRead: 0, cacheWrite: 20_000 })
    const late = found.send({ pieces: upTo(5), at: 20 * minute })
    expect(late.read).toBe(0)
    late.correct({ input: 25_000, cacheRead: 20_000, cacheWrite: 5000 })
    expect(found.lifetimeMs).toBe(60 * minute)
  })

  it('show what others keep warm, on which a cold start can count', () => {
    const cache = claude()
    const real = { input: 45_000, cacheRead: 16_000, cacheWrite: 29_000 }
    cache.send({ pieces: upTo(3), at: 0 }).correct(real)
    expect(cache.predict({ pieces: upTo(4), at: 3 * 60 * minute }).read).toBe(16_000)
  })

  it('mark as cold what was expected and not found, but not what the request itself wrote', () => {
    const cache = claude()
    const branch = [{ id: 'branch', tokens: 30_000 }]
    cache.send({ pieces: branch, at: 0 })
    cache.send({ pieces: upTo(4), at: 1000 })
    expect(cache.predict({ pieces: branch, at: 3000 }).read).toBe(30_000)
    const missed = cache.send({ pieces: upTo(5), at: 2000 })
    expect(missed.read).toBe(20_000)
    missed.correct({ input: 25_000, cacheRead: 0, cacheWrite: 25_000 })
    expect(cache.predict({ pieces: branch, at: 3000 }).read).toBe(0)
    expect(cache.predict({ pieces: upTo(6), at: 3000 }).read).toBeGreaterThan(20_000)
  })

  it('take a prompt that was cleared out of sight for no miss', () => {
    const cache = claude()
    run(cache, 12, asWritten(0, 1))
    const cleared = cache.send({ pieces: upTo(13), at: 13 * minute })
    expect(cleared.read).toBe(60_000)
    cleared.correct({ input: 31_000, cacheRead: 30_000, cacheWrite: 1000 })
    const { read } = cache.predict({ pieces: upTo(14), at: 14 * minute })
    expect(Math.abs(read - 31_000)).toBeLessThan(100)
    // A cold start later reads nothing that others keep warm: nobody has shown that there is such a part.
    expect(cache.predict({ pieces: upTo(14), at: 90 * minute }).read).toBe(0)
  })

  it('show a client that caches nothing, until it does', () => {
    const cache = claude()
    const plain = { input: 20_000, cacheRead: 0, cacheWrite: 0 }
    cache.send({ pieces: upTo(4), at: 0 }).correct(plain)
    const next = cache.send({ pieces: upTo(5), at: 1000 })
    expect(next).toMatchObject({ read: 0, written: 0, uncached: 25_000 })
    next.correct({ input: 25_000, cacheRead: 0, cacheWrite: 25_000 })
    expect(cache.send({ pieces: upTo(6), at: 2000 })).toMatchObject({ read: 0, written: 30_000 })
    expect(cache.send({ pieces: upTo(6), at: 3000 }).read).toBe(30_000)
  })

  it('teach how much of what should be there is', () => {
    const cache = createCacheModel(modelFacts('gemini-3-pro'))
    run(cache, 60, (pieces) => ({
      input: 5000 * pieces,
      cacheRead: pieces === 1 ? 0 : 0.75 * 5000 * (pieces - 1),
      cacheWrite: 0,
    }))
    const { read } = cache.predict({ pieces: upTo(61), at: 61 * minute })
    expect(read / 300_000).toBeGreaterThan(0.74)
    expect(read / 300_000).toBeLessThan(0.77)
  })

  it('change nothing when they cannot be', () => {
    const [one, other] = [claude(), claude()]
    for (const cache of [one, other]) cache.send({ pieces: upTo(4), at: 0 })
    const sent = one.send({ pieces: upTo(5), at: 1000 })
    other.send({ pieces: upTo(5), at: 1000 })
    sent.correct({ input: 0, cacheRead: 0, cacheWrite: 0 })
    sent.correct({ input: Number.NaN, cacheRead: 1, cacheWrite: 1 })
    sent.correct({ input: 25_000, cacheRead: -1, cacheWrite: 0 })
    const request = { pieces: upTo(6), at: 2000 }
    expect(one.predict(request)).toEqual(other.predict(request))
  })
})
