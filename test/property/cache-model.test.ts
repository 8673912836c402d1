import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CacheModel, createCacheModel } from '../../src/core/schedule/cache-model.ts'
import type { CachePiece } from '../../src/core/schedule/cache-rules.ts'
import { modelFacts } from '../../src/core/schedule/models/model-facts.ts'
import { type ModelRequest, modelRequest } from '../model/api.ts'
import { createPrefixCache, tokensOf } from '../model/cache.ts'
import { promptBlocks } from '../model/prompt.ts'

const model = 'claude-sonnet-4-5'

/** One step of a session: what happens to its blocks, and how long afterwards the request goes out. */
const step = fc.record({
  adds: fc.array(fc.integer({ min: 40, max: 6000 }), { maxLength: 8 }),
  edits: fc.option(fc.nat(), { freq: 3 }),
  drops: fc.option(fc.nat(), { freq: 6 }),
  marks: fc.array(fc.nat(), { maxLength: 2 }),
  pauseMs: fc.constantFrom(0, 0, 0, 600_000),
})

type Step = typeof step extends fc.Arbitrary<infer Type> ? Type : never

function* requestsOf(
  steps: readonly Step[],
): Generator<{ texts: string[]; marks: number[]; at: number }> {
  let texts = ['the system prompt '.repeat(300)]
  let at = 0
  let version = 0
  for (const { adds, edits, drops, marks, pauseMs } of steps) {
    for (const length of adds) texts.push(`${version++} `.padEnd(length, 'word '))
    if (edits !== null)
      texts = texts.with(edits % texts.length, `edited ${version++} ${'x'.repeat(900)}`)
    if (drops !== null) texts = texts.slice(0, 1 + (drops % texts.length))
    at += pauseMs
    const wanted = [0, texts.length - 1, ...marks.map((mark) => mark % texts.length)]
    yield { texts: [...texts], marks: [...new Set(wanted)], at }
  }
}

function requestOf(texts: readonly string[], marks: readonly number[]): ModelRequest {
  const content = texts.map((text, index) => ({
    type: 'text',
    text,
    ...(marks.includes(index) ? { cache_control: { type: 'ephemeral' } } : {}),
  }))
  const body = { model, messages: [{ role: 'user', content }] }
  return modelRequest({ api: 'anthropic', purpose: 'answer' }, body)
}

function piecesOf(request: ModelRequest): CachePiece[] {
  return promptBlocks(request).map(({ text, breakpoint }) => ({
    id: text,
    tokens: tokensOf(text),
    ...(breakpoint === null ? {} : { breakpoint: true as const }),
  }))
}

describe('the cache model', () => {
  it('agrees with a cache that was written for another purpose, request by request', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 25 }), (steps) => {
        const cache = createCacheModel(modelFacts(model), { lifetimeMs: 300_000 })
        const real = createPrefixCache()
        for (const { texts, marks, at } of requestsOf(steps)) {
          const request = requestOf(texts, marks)
          const { input, read, written } = real.account(request, promptBlocks(request), at)
          const sent = cache.send({ pieces: piecesOf(request), at })
          expect({ read: sent.read, written: sent.written, uncached: sent.uncached }).toEqual({
            read,
            written,
            uncached: input - read - written,
          })
        }
      }),
      { numRuns: 150 },
    )
  })

  it('divides every request without a remainder, whatever answers say', () => {
    const usage = fc.record({
      input: fc.nat(200_000),
      cacheRead: fc.nat(200_000),
      cacheWrite: fc.nat(200_000),
      cacheWriteLong: fc.nat(200_000),
    })
    const names = fc.constantFrom(model, 'gpt-5.5', 'gpt-5.6-sol', 'gemini-3-pro', 'who-knows')
    fc.assert(
      fc.property(
        names,
        fc.array(fc.tuple(step, usage), { minLength: 1, maxLength: 15 }),
        (name, session) => {
          const cache: CacheModel = createCacheModel(modelFacts(name))
          let index = 0
          for (const { texts, marks, at } of requestsOf(session.map(([each]) => each))) {
            const pieces = piecesOf(requestOf(texts, marks))
            const foretold = cache.predict({ pieces, at })
            const { correct, ...sent } = cache.send({ pieces, at })
            expect(sent).toEqual(foretold)
            const parts = Object.values(sent)
            expect(parts.every((part) => Number.isSafeInteger(part) && part >= 0)).toBe(true)
            correct((session[index++] as (typeof session)[number])[1])
          }
        },
      ),
      { numRuns: 100 },
    )
  })
})
