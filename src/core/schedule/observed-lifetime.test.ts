import { describe, expect, it } from 'vitest'
import { messagesOf, type ToldTurn, understanding } from '../../../test/engine/told-session.ts'
import { resolveSettings } from '../../config/resolve.ts'
import { createEngine, type Engine } from '../engine.ts'
import type { Usage } from '../words/item.ts'
import type { LedgerEntry } from '../words/ledger.ts'

const minute = 60_000
const fetch = (id: string): ToldTurn => [
  { id, tool: 'webfetch', input: { url: 'https://example.com/x' }, output: `${id} `.repeat(200) },
]
const work = (n: number): ToldTurn => [
  { id: `w${n}`, tool: 'bash', input: { command: `sleep ${n}` }, output: `y${n} `.repeat(300) },
]
const turns = [fetch('a'), ...Array.from({ length: 6 }, (_, n) => work(n)), fetch('b'), work(9)]
const answer = (figures: Partial<Usage>): Usage => ({
  input: 40_000,
  output: 100,
  cacheRead: 38_000,
  cacheWrite: 2000,
  ...figures,
})

function createTold(ledger: readonly LedgerEntry[] = []): Engine {
  const settings = resolveSettings({ preset: 'balanced', turnProtection: 0 })
  return createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding,
    regimes: 'model',
    ledger,
  })
}

interface Session {
  readonly model: string
  /** The figures of every answer; null says nothing. */
  readonly usage: Usage | null
  readonly pauseMs: number
}

/** The first page is superseded, and leaves with the first request for which nothing is cached. */
function reasonAfterPause({ model, usage, pauseMs }: Session, engine = createTold()): unknown {
  let at = 0
  for (let told = 1; told < turns.length; told++) {
    at += minute
    engine.request(messagesOf(turns.slice(0, told)), undefined, { at, model })
    if (usage !== null) engine.usage(usage, model)
  }
  const last = engine.request(messagesOf(turns), undefined, { at: at + pauseMs, model })
  return last.epoch?.reason ?? null
}

describe('the figures of answers', () => {
  const claude = 'claude-sonnet-4-5'

  it('tell that the client asks for the long lifetime, so that a short pause leaves the cache warm', () => {
    const pause = { model: claude, pauseMs: 10 * minute }
    expect(reasonAfterPause({ ...pause, usage: answer({ cacheWriteLong: 0 }) })).toBe('idle')
    const long = answer({ cacheWriteLong: 2000 })
    expect(reasonAfterPause({ ...pause, usage: long })).toBeNull()
    expect(reasonAfterPause({ ...pause, pauseMs: 70 * minute, usage: long })).toBe('idle')
  })

  it('are missing: nothing is rewritten that a cache of an hour would still hold', () => {
    const pause = { model: claude, usage: null }
    expect(reasonAfterPause({ ...pause, pauseMs: 10 * minute })).toBeNull()
    expect(reasonAfterPause({ ...pause, pauseMs: 70 * minute })).toBe('idle')
  })

  it('tell of an automatic cache that still had what should have been gone', () => {
    const engine = createTold()
    const model = 'gpt-5.4'
    const request = (told: number, at: number): unknown =>
      engine.request(messagesOf(turns.slice(0, told)), undefined, { at, model }).epoch?.reason
    for (let told = 1; told < turns.length - 1; told++) request(told, told * minute)
    // Long after the table's lifetime, and nearly all of it was read.
    const day = 24 * 60 * minute
    request(turns.length - 1, 2 * day)
    engine.usage(answer({ cacheWrite: 0 }), model)
    const before = engine.ledger.entries.length
    request(turns.length, 3 * day)
    const epochs = engine.ledger.entries.slice(before).filter(({ kind }) => kind === 'epoch')
    expect(epochs).toEqual([])
  })

  it('are remembered across a restart', () => {
    const engine = createTold()
    const long = answer({ cacheWriteLong: 2000 })
    for (let told = 1; told <= 3; told++) {
      engine.request(messagesOf(turns.slice(0, told)), undefined, { at: told, model: claude })
      engine.usage(long, claude)
    }
    const again = createTold(structuredClone(engine.ledger.entries))
    expect(reasonAfterPause({ model: claude, usage: null, pauseMs: 10 * minute }, again)).toBeNull()
  })
})
