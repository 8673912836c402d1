import { describe, expect, it } from 'vitest'
import { messagesOf, type ToldTurn, understanding } from '../../../test/engine/told-session.ts'
import { resolveSettings } from '../../config/resolve.ts'
import { createEngine, type Engine, type EngineRequest } from '../engine.ts'
import type { MessageDraft, Usage } from '../words/item.ts'
import type { LedgerEntry } from '../words/ledger.ts'
import type { Settings } from '../words/settings.ts'
import { findRegime, type Regime } from './regimes.ts'

const minute = 60_000
const anthropic = findRegime('anthropic-5m') as Regime

/** The same page is fetched twice, with much between: the older one is superseded, which pays only on a cold cache. */
const fetched: readonly ToldTurn[] = [
  [
    {
      id: 'a',
      tool: 'webfetch',
      input: { url: 'https://example.com/x' },
      output: 'one '.repeat(150),
    },
  ],
  [{ id: 'b', tool: 'bash', input: { command: 'sleep 99' }, output: 'x '.repeat(300) }],
  [
    {
      id: 'c',
      tool: 'webfetch',
      input: { url: 'https://example.com/x' },
      output: 'two '.repeat(150),
    },
  ],
  ...Array.from(
    { length: 9 },
    (_, n): ToldTurn => [
      { id: `d${n}`, tool: 'bash', input: { command: `sleep ${n}` }, output: `y${n} `.repeat(300) },
    ],
  ),
]

function engineWith(
  schedule: Settings['schedule'],
  options: { readonly ledger?: readonly LedgerEntry[]; readonly contextLimit?: number } = {},
): Engine {
  const { ledger = [], contextLimit = null } = options
  const settings = resolveSettings({
    preset: 'balanced',
    turnProtection: 0,
    schedule,
    contextLimit,
  })
  return createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding,
    regimes: [anthropic],
    ledger,
  })
}

const toolResult = (messages: readonly MessageDraft[], at: number): string => {
  const [item] = messages[at]?.items ?? []
  return item?.kind === 'result' ? item.call : ''
}
const until = (turns: number): readonly MessageDraft[] => messagesOf(fetched.slice(0, turns))
const reasons = (request: EngineRequest): unknown => request.epoch?.reason ?? null
const model = 'claude-opus-4-5'

/** One request after each turn, a minute apart but for the last. */
function requests(engine: Engine, turns: number, lastPauseMs: number): EngineRequest[] {
  let at = 0
  return Array.from({ length: turns + 1 }, (_, index) => {
    at += index === turns ? lastPauseMs : minute
    const request = engine.request(until(index), undefined, { at, model })
    engine.usage(fiveMinutes, model)
    return request
  })
}

/** The provider says that it keeps what it writes for five minutes. */
const fiveMinutes: Usage = {
  input: 40_000,
  output: 100,
  cacheRead: 38_000,
  cacheWrite: 2000,
  cacheWriteLong: 0,
}

describe('bytes that were sent', () => {
  it('stay while the cache is warm, and change at once when it is cold', () => {
    const warm = requests(engineWith('economic'), 10, minute)
    expect(warm.map(reasons)).toEqual(warm.map(() => null))
    expect(warm.at(-1)?.changes).toEqual([])
    const cold = requests(engineWith('economic'), 10, 6 * minute)
    expect(cold.at(-1)).toMatchObject({
      epoch: { reason: 'idle', from: 0 },
      changes: [{ decision: { reason: 'hash', rendition: { how: 'superseded' } } }],
    })
  })

  it('change with another model, in a resumed session, and when the client compacts', () => {
    const other = engineWith('economic')
    requests(other, 9, minute)
    const at = 16 * minute
    expect(reasons(other.request(until(10), undefined, { at, model: 'claude-haiku-4-5' }))).toBe(
      'model',
    )
    expect(reasons(engineWith('economic').request(until(10), undefined, { at, model }))).toBe(
      'resumed',
    )
    const compacted = engineWith('economic')
    requests(compacted, 9, minute)
    const summary: MessageDraft = { role: 'user', items: [{ kind: 'text', text: 'So far: all.' }] }
    const left = [summary, ...until(10).slice(1)]
    expect(reasons(compacted.request(left, undefined, { at, model }))).toBe('rewritten')
  })

  it('never change under admission-only, only when cold under cold-only, always under eager', () => {
    expect(requests(engineWith('admission-only'), 10, 6 * minute).at(-1)?.changes).toEqual([])
    expect(requests(engineWith('cold-only'), 10, 6 * minute).at(-1)?.changes).toHaveLength(1)
    expect(requests(engineWith('eager'), 4, minute).at(-1)?.changes).toHaveLength(1)
  })

  it('stay when the provider clears by itself, also where changing them would pay', () => {
    const cheap = { ...anthropic, read: 0.9, write: 1 }
    const settings = resolveSettings({ preset: 'balanced', turnProtection: 0 })
    const opened = (isDelegated: boolean): readonly unknown[] => {
      const engine = createEngine({
        restore: { tool: 'context_restore' },
        settings,
        understanding,
        regimes: [cheap],
      })
      return Array.from({ length: 12 }, (_, turns) => {
        const moment = { at: turns * minute, model, isDelegated }
        const reason = reasons(engine.request(until(turns), undefined, moment))
        engine.usage(fiveMinutes, model)
        return reason
      })
    }
    expect(opened(false)).toContain('pays')
    expect(opened(true)).not.toContain('pays')
  })

  it('are the same in another process that has the ledger', () => {
    const first = engineWith('economic')
    requests(first, 8, 6 * minute)
    const ledger = JSON.parse(JSON.stringify(first.ledger.entries)) as LedgerEntry[]
    const moment = { at: 14 * minute, model }
    const gone = first.request(until(9), undefined, moment)
    const second = engineWith('economic', { ledger }).request(until(9), undefined, moment)
    expect(second.changes).toEqual(gone.changes)
    expect(second.epoch).toEqual(gone.epoch)
    expect(gone.changes).toHaveLength(1)
  })

  it('leave before the context overflows, whatever it costs, the lowest rank first', () => {
    const engine = engineWith('economic', { contextLimit: 2_600 })
    const answers = requests(engine, 12, minute)
    const epochs = answers.filter((answer) => answer.epoch?.reason === 'pressure')
    expect(epochs.length).toBeGreaterThan(0)
    const left = answers.at(-1)?.changes.filter(({ decision }) => decision.reason === 'pressure')
    expect(left?.length).toBeGreaterThan(0)
    for (const change of left ?? []) expect(change.text).toContain(change.decision.handle)
  })

  it('leave by how probable a need is, where they rank the same', () => {
    const read = (id: string, name: string): ToldTurn => [
      { id, tool: 'read', input: { filePath: `/p/${name}` }, output: `${id} line\n`.repeat(300) },
    ]
    const told = messagesOf([read('a', 'plan.ts'), read('b', 'other.ts'), ...fetched.slice(3)])
    const user: MessageDraft = {
      role: 'user',
      items: [{ kind: 'text', text: 'Please change plan.ts and plan.ts alone.' }],
    }
    const goneFirst = (): readonly string[] => {
      const engine = engineWith('economic', { contextLimit: 4_900 })
      for (let end = 3; end <= told.length; end += 2) {
        const messages = [user, ...told.slice(1, end)]
        const { changes } = engine.request(messages, undefined, { at: end * minute, model })
        const gone = changes.filter(({ decision }) => decision.reason === 'pressure')
        if (gone.length > 0) return gone.map(({ message }) => toolResult(messages, message))
      }
      return []
    }
    // The one that the user named is older.
    expect(goneFirst()).toContain('b')
    expect(goneFirst()).not.toContain('a')
  })
})

describe('reasoning that is valid only while nothing before it changes', () => {
  const thinking = (turns: number): readonly MessageDraft[] =>
    until(turns).map((message) =>
      message.role === 'assistant'
        ? {
            ...message,
            items: [
              { kind: 'reasoning', binding: 'signed', text: 'Let me see.' },
              ...message.items,
            ],
          }
        : message,
    )

  it('keeps all that stands before it, on the models that check it', () => {
    const changesWith = (name: string): number => {
      const engine = engineWith('economic')
      engine.request(thinking(9), undefined, { at: 0, model: name })
      return engine.request(thinking(10), undefined, { at: 9 * minute, model: name }).changes.length
    }
    expect(changesWith('claude-opus-4-5')).toBe(1)
    expect(changesWith('claude-opus-5-5')).toBe(0)
  })
})
