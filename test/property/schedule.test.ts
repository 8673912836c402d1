import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveSettings } from '../../src/config/resolve.ts'
import { createEngine, type Engine, type EngineRequest } from '../../src/core/engine.ts'
import { type Regime, regimes } from '../../src/core/schedule/regimes.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import type { LedgerEntry } from '../../src/core/words/ledger.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import { understanding } from '../engine/told-session.ts'
import { applyChanges } from './checks.ts'
import { createSavedSoFar, type PromptPart } from './prefix-cache.ts'
import { runs } from './runs.ts'
import { sessionScript } from './script.ts'
import { playSession } from './session.ts'

const minute = 60_000
const session = sessionScript.map((script) => playSession(script))

/** What happens between one request and the next. */
interface Pause {
  readonly idleMs: number
  readonly model: string
  /** The process ends, and another one goes on with the ledger. */
  readonly restart: boolean
  /** What brings originals back from here on; a client may gain and lose a tool. */
  readonly restore: string | null
}

const pauses = fc.array(
  fc.record<Pause>({
    idleMs: fc.constantFrom(5_000, 90_000, 4 * minute, 7 * minute, 30 * minute, 90 * minute),
    model: fc.constantFrom(...Array.from({ length: 9 }, () => 'claude-opus-4-5'), 'gpt-5'),
    restart: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    restore: fc.constantFrom('context_restore', 'context_restore', "'/home/a b/restore'", null),
  }),
  { minLength: 12, maxLength: 12 },
)

const schedule = fc.constantFrom<Settings['schedule']>('economic', 'cold-only', 'admission-only')
const regime = fc.constantFrom<Regime | null>(null, ...regimes)

interface Sent {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly request: EngineRequest
  readonly when: { readonly at: number; readonly model: string }
  readonly isFresh: boolean
}

/** What a model is sent; markers are for the agent itself. */
const textsOf = (messages: readonly MessageDraft[]): string[] =>
  messages.flatMap(({ items }) =>
    items.filter(({ kind }) => kind !== 'marker').map(({ kind, text }) => `${kind} ${text}`),
  )

const partOf = (text: string): PromptPart => ({ id: text, size: text.length })

function* send(
  requests: readonly { readonly messages: readonly MessageDraft[] }[],
  open: (ledger: readonly LedgerEntry[]) => Engine,
  between: readonly Pause[],
): Generator<Sent> {
  let engine = open([])
  let at = Date.UTC(2026, 0, 5)
  for (const [index, { messages }] of requests.entries()) {
    const { idleMs, model, restart, restore } = between[index % between.length] as Pause
    at += idleMs
    if (restart) engine = open(JSON.parse(JSON.stringify(engine.ledger.entries)))
    const when = { at, model, restore }
    const request = engine.request(messages, undefined, when)
    const shown = applyChanges(messages, request.changes)
    yield { before: textsOf(messages), after: textsOf(shown), request, when, isFresh: restart }
  }
}

const enginesWith =
  (settings: Settings, only: Regime | null) =>
  (ledger: readonly LedgerEntry[]): Engine =>
    createEngine({
      restore: { tool: 'context_restore' },
      settings,
      understanding,
      ledger,
      ...(only === null ? {} : { regimes: [only] }),
    })

const isPrefix = (start: readonly string[], whole: readonly string[]): boolean =>
  start.every((text, index) => text === whole[index])

describe('a session with pauses, other models and restarts', { timeout: 240_000 }, () => {
  it('never costs more than without us, at any request, under any regime that may hold', () => {
    const forced = new Set<number>()
    let sessions = 0
    fc.assert(
      fc.property(session, pauses, schedule, regime, ({ requests }, between, name, only) => {
        const settings = resolveSettings({ preset: 'balanced', schedule: name, turnProtection: 0 })
        const held = only === null ? regimes : [only]
        const bill = createSavedSoFar(held)
        sessions++
        for (const sent of send(requests, enginesWith(settings, only), between)) {
          const { relation } = sent.request
          const isForced = ['edited', 'forked', 'shortened'].includes(relation) || sent.isFresh
          const [before, after] = [sent.before.map(partOf), sent.after.map(partOf)]
          bill.request({ before, after }, sent.when)
          for (const [index, saved] of bill.saved.entries()) {
            // When the client takes out what had replaced something, that comes back, whatever it costs.
            if (isForced && saved < 0) {
              bill.saved[index] = 0
              forced.add(sessions)
            }
          }
          const costlier = held.filter((_, index) => (bill.saved[index] ?? 0) < -1e-6)
          expect(costlier.map(({ name }) => name)).toEqual([])
        }
      }),
      { numRuns: runs.costlier },
    )
    expect(forced.size).toBeLessThan(sessions * 0.03)
  })

  it('only adds to what was sent, but where an epoch is declared or the client changed it', () => {
    let kept = 0
    fc.assert(
      fc.property(session, pauses, schedule, ({ requests }, between, name) => {
        const settings = resolveSettings({ preset: 'balanced', schedule: name, turnProtection: 0 })
        let last: Sent | null = null
        for (const sent of send(requests, enginesWith(settings, null), between)) {
          if (last !== null && sent.request.epoch === null && isPrefix(last.before, sent.before)) {
            expect(sent.after.slice(0, last.after.length)).toEqual(last.after)
            if (sent.request.changes.length > 0) kept++
          }
          last = sent
        }
      }),
      { numRuns: runs.appended },
    )
    expect(kept).toBeGreaterThan(100)
  })
})
