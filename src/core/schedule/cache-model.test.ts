import { describe, expect, it } from 'vitest'
import { type CacheModel, createCacheModel } from './cache-model.ts'
import type { CachePiece } from './cache-rules.ts'
import { modelFacts } from './models/model-facts.ts'

const minute = 60_000
const pieces = (...ids: string[]): CachePiece[] => ids.map((id) => ({ id, tokens: 10_000 }))
const claude = (): CacheModel => createCacheModel(modelFacts('claude-sonnet-4-5'))
const many = (count: number, name = 'n'): CachePiece[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${name}${at}`, tokens: 1000 }))

describe('what a provider keeps', () => {
  it('is the prefix that the request before left, and the rest is written', () => {
    const cache = claude()
    expect(cache.send({ pieces: pieces('a', 'b'), at: 0 })).toMatchObject({
      read: 0,
      written: 20_000,
      uncached: 0,
    })
    expect(cache.send({ pieces: pieces('a', 'b', 'c'), at: minute })).toMatchObject({
      read: 20_000,
      written: 10_000,
    })
  })

  it('is foretold without being changed', () => {
    const cache = claude()
    cache.send({ pieces: pieces('a', 'b'), at: 0 })
    const request = { pieces: pieces('a', 'b', 'c'), at: minute }
    const foretold = cache.predict(request)
    expect(cache.predict(request)).toEqual(foretold)
    expect(cache.send(request)).toMatchObject(foretold)
  })

  it('lives on with each use, and dies without', () => {
    const cache = claude()
    cache.send({ pieces: pieces('a'), at: 0 })
    cache.send({ pieces: pieces('a'), at: 4 * minute })
    expect(cache.send({ pieces: pieces('a'), at: 8 * minute }).read).toBe(10_000)
    expect(cache.send({ pieces: pieces('a'), at: 14 * minute }).read).toBe(0)
    expect(cache.send({ pieces: pieces('a'), at: 15 * minute }).read).toBe(10_000)
  })

  it('counts requests without times as following each other at once', () => {
    const cache = claude()
    cache.send({ pieces: pieces('a'), at: null })
    expect(cache.send({ pieces: pieces('a'), at: 1_700_000_000_000 }).read).toBe(10_000)
    expect(cache.send({ pieces: pieces('a'), at: null }).read).toBe(10_000)
  })

  it('is nothing below the minimum, and nothing where nothing is cached', () => {
    const small = [{ id: 'a', tokens: 1000 }]
    const cache = claude()
    expect(cache.send({ pieces: small, at: 0 })).toMatchObject({ written: 0, uncached: 1000 })
    expect(cache.send({ pieces: small, at: 0 }).read).toBe(0)
    const none = createCacheModel(modelFacts('x', [{ model: 'x', cacheMinutes: 0 }]))
    none.send({ pieces: pieces('a'), at: 0 })
    expect(none.send({ pieces: pieces('a'), at: 0 })).toMatchObject({ read: 0, uncached: 10_000 })
    expect(none.lifetimeMs).toBeNull()
  })

  it('is out of reach when the last entry stands twenty blocks or more before the end', () => {
    const [near, far] = [claude(), claude()]
    for (const cache of [near, far]) cache.send({ pieces: many(10), at: 0 })
    expect(near.send({ pieces: many(29), at: 0 }).read).toBe(10_000)
    expect(far.send({ pieces: many(30), at: 0 }).read).toBe(0)
    const unlimited = createCacheModel(modelFacts('gpt-5.6-sol'))
    unlimited.send({ pieces: many(10), at: 0 })
    expect(unlimited.send({ pieces: many(300), at: 0 }).read).toBe(10_000)
  })

  it('loses the whole conversation to a change far from its end, where no breakpoint is near', () => {
    const cache = claude()
    for (let length = 10; length <= 60; length += 10) cache.send({ pieces: many(length), at: 0 })
    const edited = many(60).with(15, { id: 'edited', tokens: 10 })
    expect(cache.predict({ pieces: edited, at: 0 }).read).toBe(0)
    const marked = edited.with(9, { ...(edited[9] as CachePiece), breakpoint: true })
    expect(cache.predict({ pieces: marked, at: 0 }).read).toBe(10_000)
  })

  it('goes by tools, system and messages, in whatever order they are listed', () => {
    const cache = claude()
    const [message, system, tools]: CachePiece[] = [
      { id: 'm', tokens: 5000 },
      { id: 's', tokens: 3000, section: 'system' },
      { id: 't', tokens: 2000, section: 'tools' },
    ] as const
    cache.send({ pieces: [message, system, tools] as CachePiece[], at: 0 })
    const other = { id: 'other', tokens: 5000 }
    const sent = cache.send({ pieces: [tools, system, other] as CachePiece[], at: 0 })
    expect(sent).toMatchObject({ read: 5000, written: 5000 })
    const changed: CachePiece = { id: 's2', tokens: 3000, section: 'system' }
    expect(cache.send({ pieces: [tools, changed, other] as CachePiece[], at: 0 }).read).toBe(2000)
  })

  it('is kept where the client says, and nowhere else', () => {
    const cache = claude()
    const [a, b, c] = pieces('a', 'b', 'c') as [CachePiece, CachePiece, CachePiece]
    const request = { pieces: [a, { ...b, breakpoint: true as const }, c], at: 0 }
    expect(cache.send(request)).toMatchObject({ read: 0, written: 20_000, uncached: 10_000 })
    expect(cache.send(request)).toMatchObject({ read: 20_000, written: 0, uncached: 10_000 })
  })

  it('is kept by itself in whole steps where the provider does that', () => {
    const cache = createCacheModel(modelFacts('gpt-5.5'))
    cache.send({ pieces: [{ id: 'a', tokens: 2000 }, ...many(50)], at: 0 })
    const changed = [{ id: 'a', tokens: 2000 }, ...many(50, 'other')]
    expect(cache.send({ pieces: changed, at: 0 }).read).toBe(15 * 128)
    expect(cache.send({ pieces: changed, at: 11 * minute }).read).toBe(0)
  })
})
