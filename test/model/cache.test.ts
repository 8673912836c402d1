import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ModelRequest, modelRequest } from './api.ts'
import { type CacheFigures, createPrefixCache, type PrefixCache } from './cache.ts'
import { promptBlocks } from './prompt.ts'

const mark = { cache_control: { type: 'ephemeral' } }

/** A request of one block for each text; the blocks at `marks` are breakpoints. */
function anthropic(
  texts: readonly string[],
  marks: readonly number[],
  model = 'claude-sonnet-4-5',
): ModelRequest {
  const content = texts.map((text, index) => ({
    type: 'text',
    text,
    ...(marks.includes(index) ? mark : {}),
  }))
  return modelRequest(
    { api: 'anthropic', purpose: 'answer' },
    { model, messages: [{ role: 'user', content }] },
  )
}

function account(cache: PrefixCache, request: ModelRequest, nowMs = 0): CacheFigures {
  return cache.account(request, promptBlocks(request), nowMs)
}

const long = (name: string): string => `${name} `.repeat(4_000)

describe('a cache of breakpoints', () => {
  it('writes up to the last breakpoint and leaves the rest as plain input', () => {
    const figures = account(
      createPrefixCache(),
      anthropic([long('a'), long('b'), long('c')], [0, 1]),
    )
    expect(figures.read).toBe(0)
    expect(figures.written).toBeGreaterThan(figures.input / 2)
    expect(figures.written).toBeLessThan(figures.input)
  })

  it('reads nothing behind a change, and all before it that had a breakpoint', () => {
    const cache = createPrefixCache()
    const first = account(cache, anthropic([long('a'), long('b'), long('c')], [0, 2]))
    const second = account(cache, anthropic([long('a'), long('x'), long('c')], [0, 2]))
    expect(second.read).toBeGreaterThan(0)
    expect(second.read).toBeLessThan(first.written / 2)
    expect(second.read + second.written).toBe(second.input)
  })

  it('finds the entry of an earlier request up to twenty blocks before a breakpoint', () => {
    const texts = [long('a'), ...Array.from({ length: 40 }, (_, index) => `b${index}`)]
    const cache = createPrefixCache()
    account(cache, anthropic(texts.slice(0, 1), [0]))
    expect(account(cache, anthropic(texts.slice(0, 20), [19])).read).toBeGreaterThan(0)
    const other = createPrefixCache()
    account(other, anthropic(texts.slice(0, 1), [0]))
    expect(account(other, anthropic(texts.slice(0, 21), [20])).read).toBe(0)
  })

  it('keeps nothing below the minimum of the model', () => {
    const texts = ['word '.repeat(1_000)]
    const none: CacheFigures = { input: 1_261, read: 0, written: 0, writtenForAnHour: 0 }
    const small = account(createPrefixCache(), anthropic(texts, [0], 'claude-haiku-4-5'))
    expect({ ...small, input: none.input }).toEqual(none)
    expect(account(createPrefixCache(), anthropic(texts, [0])).written).toBeGreaterThan(1_024)
  })

  it('keeps an entry of an hour for an hour', () => {
    const content = [
      { type: 'text', text: long('a'), cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]
    const request = modelRequest(
      { api: 'anthropic', purpose: 'answer' },
      { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content }] },
    )
    const cache = createPrefixCache()
    const first = account(cache, request)
    expect(first.writtenForAnHour).toBe(first.written)
    expect(account(cache, request, 59 * 60_000).read).toBe(first.written)
    expect(account(cache, request, 3 * 60 * 60_000).read).toBe(0)
  })

  it('has another entry for another model', () => {
    const cache = createPrefixCache()
    account(cache, anthropic([long('a')], [0]))
    expect(account(cache, anthropic([long('a')], [0], 'claude-opus-4-8')).read).toBe(0)
  })

  it('never counts more than there is, and reads all that a request before it wrote', () => {
    const block = fc
      .tuple(fc.string({ minLength: 1, maxLength: 5 }), fc.nat(4_000))
      .map(([name, length]) => name + '.'.repeat(length))
    const texts = fc.array(block, { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(texts, fc.array(fc.nat(11), { maxLength: 4 }), (blocks, marks) => {
        const cache = createPrefixCache()
        const first = account(cache, anthropic(blocks, marks))
        const second = account(cache, anthropic([...blocks, 'more'], [...marks, blocks.length]))
        for (const figures of [first, second]) {
          expect(figures.read + figures.written).toBeLessThanOrEqual(figures.input)
          expect(figures.writtenForAnHour).toBe(0)
        }
        expect(second.read).toBeGreaterThanOrEqual(first.written)
      }),
    )
  })
})

describe('an automatic cache', () => {
  const chat = (texts: readonly string[], model = 'gpt-5.1'): ModelRequest =>
    modelRequest(
      { api: 'openai-chat', purpose: 'answer' },
      { model, messages: texts.map((content) => ({ role: 'user', content })) },
    )

  it('reads whole steps of the common beginning, once it is long enough', () => {
    const cache = createPrefixCache()
    account(cache, chat([long('a'), long('b')]))
    const figures = account(cache, chat([long('a'), long('c')]))
    expect(figures.read % 128).toBe(0)
    expect(figures.read).toBeGreaterThanOrEqual(900)
    expect(figures.read).toBeLessThan(figures.input)
    expect(account(cache, chat(['short'])).read).toBe(0)
  })

  it('says what it wrote on models that charge for it', () => {
    const figures = account(createPrefixCache(), chat([long('a'), long('b')], 'gpt-5.6'))
    expect(figures.written).toBeGreaterThan(1_024)
    expect(account(createPrefixCache(), chat([long('a'), long('b')])).written).toBe(0)
  })

  it('forgets', () => {
    const cache = createPrefixCache()
    account(cache, chat([long('a'), long('b')]))
    expect(account(cache, chat([long('a'), long('b')]), 60 * 60_000).read).toBe(0)
  })
})
