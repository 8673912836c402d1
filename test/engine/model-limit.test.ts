import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../src/actions/understand.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import { createEngine, type Engine, type EngineRequest } from '../../src/core/engine.ts'
import { modelFacts } from '../../src/core/schedule/models/model-facts.ts'
import type { LedgerEntry } from '../../src/core/words/ledger.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import { call } from './settings-row.ts'
import { lines, messagesOf, type ToldTurn } from './told-session.ts'

const small = 'claude-sonnet-4-5'
const models = [{ model: 'roomy', contextLimit: 400_000 }]
/** 120 outputs of 8,000 to 10,000 characters: more than 0.7 of 200,000 tokens, and less than 0.7 of 400,000. */
const session: readonly ToldTurn[] = Array.from({ length: 120 }, (_, n) => [
  call(`c${n}`, 'bash', { command: `run ${n}` }, lines(1, 118 + (n % 3) * 15, `out${n}`)),
])

function engineOf(settings: Settings, ledger: readonly LedgerEntry[] = []): Engine {
  return createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding: () => createUnderstanding({ cwd: '/home/dev/app' }),
    models,
    ledger: JSON.parse(JSON.stringify(ledger)) as readonly LedgerEntry[],
  })
}

interface Sent {
  readonly turns: number
  readonly model: string | null
}

function send(engine: Engine, { turns, model }: Sent): EngineRequest {
  return engine.request(messagesOf(session.slice(0, turns)), undefined, { at: null, model })
}

const shownIn = ({ changes }: EngineRequest): readonly unknown[] =>
  changes.map(({ message, item, text }) => ({ message, item, text }))

/** A request for every turn, or with several turns at a time. */
const steadily = (model: string | null, step = 1): readonly Sent[] =>
  Array.from({ length: 120 / step }, (_, n) => ({ turns: (n + 1) * step, model }))

const limitsIn = (entries: readonly LedgerEntry[]): readonly LedgerEntry[] =>
  entries.filter(({ kind }) => kind === 'limit')

describe("without `contextLimit` the model's limit", () => {
  it('is the one that middle-sized outputs are cut at', () => {
    expect(modelFacts(small, models).contextLimit).toBe(200_000)
    const cutsFor = (model: string | null, contextLimit: number | null = null): number => {
      const engine = engineOf(resolveSettings({ preset: 'history', contextLimit }))
      return steadily(model)
        .map((sent) => send(engine, sent).changes.length)
        .at(-1) as number
    }
    expect(cutsFor(small)).toBeGreaterThan(10)
    expect(cutsFor(small)).toBe(cutsFor(null, 200_000))
    expect([cutsFor('roomy'), cutsFor(null), cutsFor(small, 400_000)]).toEqual([0, 0, 0])
  })

  it('decides the same, however many turns came at a time', () => {
    const settings = resolveSettings({ preset: 'history' })
    const [one, other] = [1, 8].map((step) => {
      const engine = engineOf(settings)
      return steadily(small, step)
        .map((sent) => shownIn(send(engine, sent)))
        .at(-1)
    })
    expect(one).toEqual(other)
    const alone = send(engineOf(settings), { turns: 120, model: small })
    expect(shownIn(alone)).toEqual(one)
  })
})

const changing: readonly Sent[] = [
  ...steadily(null, 5).slice(0, 2),
  ...steadily('roomy', 5).slice(2, 19),
  ...steadily(small, 5).slice(19, 22),
  ...steadily('roomy', 5).slice(22, 23),
  ...steadily(null, 5).slice(23),
]

describe.each(['eager', 'on-demand'] as const)('after a restart, under %s', (schedule) => {
  const settings = resolveSettings({
    preset: 'history',
    schedule,
    strategies: { largeOutputs: true },
  })

  it.each([
    ['of one model', steadily(small, 5)],
    ['whose model changes', changing],
  ])('every request of a session %s is as it was', (_, requests) => {
    const engine = engineOf(settings)
    for (const sent of requests) {
      const before = engine.ledger.entries.slice()
      const shown = shownIn(send(engine, sent))
      const resumed = engineOf(settings, before)
      expect(shownIn(send(resumed, sent))).toEqual(shown)
      expect(limitsIn(resumed.ledger.entries)).toEqual(limitsIn(engine.ledger.entries))
      const again = engineOf(settings, engine.ledger.entries)
      expect(shownIn(send(again, sent))).toEqual(shown)
      expect(shownIn(send(again, { ...sent, model: null }))).toEqual(shown)
    }
  })
})
