import { describe, expect, it } from 'vitest'
import { ProviderCaches } from './provider-caches.ts'

describe('a request that is sent once more', () => {
  it('keeps the cache warm, and what is known of it', () => {
    const caches = new ProviderCaches()
    caches.send({ at: 0, model: 'm' }, 11, null)
    caches.markOriginalSent('m', 4)
    caches.touch({ at: 240_000, model: 'm' }, 11)
    const [cache] = caches.all
    expect(cache).toMatchObject({ at: 240_000, sent: 11, unchanged: 4, isOriginal: true })
    expect(cache?.ends?.at(-1)).toEqual({ place: 11, at: 240_000 })
  })
})
