import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Engine, EngineRequest } from '../../src/core/engine.ts'
import { createLedger, type LedgerEntry } from '../../src/core/ledger.ts'
import type { MessageDraft } from '../../src/core/record/item.ts'
import { applyChanges, faultsOf } from './checks.ts'
import { shownChanges } from './compare.ts'
import { sessionScript } from './script.ts'
import { playSession, type RandomSession, type SentRequest } from './session.ts'
import { engineFor, someSettings } from './settings.ts'

const session = sessionScript.map((script) => playSession(script))

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}

/** Sends every request of a session; what goes in and what is recorded is frozen, so that a change of it throws. */
function send(
  engine: Engine,
  { requests }: RandomSession,
  look?: (request: EngineRequest, sent: SentRequest) => void,
): EngineRequest[] {
  let frozen = 0
  return requests.map((sent) => {
    const request = engine.request(deepFreeze(sent.messages))
    for (; frozen < engine.record.items.length; frozen++) deepFreeze(engine.record.items[frozen])
    look?.(request, sent)
    return request
  })
}

/** The id of the call whose input is changed; null for all other items. */
function callAt(
  messages: readonly MessageDraft[],
  place: { message: number; item: number },
): string | null {
  const item = messages[place.message]?.items[place.item]
  return item !== undefined && 'call' in item ? (item.call ?? null) : null
}

describe('random sessions', () => {
  it('have about forty items at the median, and many kinds of hazards', () => {
    const scripts = fc.sample(sessionScript, { numRuns: 300, seed: 1 })
    const sizes = scripts
      .map((script) => playSession(script).requests.at(-1)?.messages ?? [])
      .map((messages) => messages.flatMap(({ items }) => items).length)
      .sort((a, b) => a - b)
    expect(sizes[150]).toBeGreaterThanOrEqual(40)
    const hazards = new Set(
      scripts.flatMap(({ turns }) =>
        turns.flatMap(({ before, ending, deeds }) => [
          before.kind,
          ending,
          ...deeds.flatMap(({ deed, fails }) => [deed.do, fails ? 'fails' : 'works']),
        ]),
      ),
    )
    expect(hazards.size).toBeGreaterThanOrEqual(27)
  })

  it('keep the record, every original within reach, prose, protections and the limits of size', () => {
    fc.assert(
      fc.property(session, someSettings, (random, settings) => {
        const engine = engineFor(settings)
        const answers = send(engine, random, (request, { messages }) =>
          expect(faultsOf({ engine, settings, messages, request })).toEqual([]),
        )
        const { anchor } = answers.at(-1) as EngineRequest
        const recorded = engine.record
          .history(anchor)
          .map(({ items }) => items.map(({ text }) => text))
        const sent = random.requests.at(-1)?.messages ?? []
        expect(recorded).toEqual(sent.map(({ items }) => items.map(({ text }) => text)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('give the same whole, request by request, in another process, and from a ledger read back', () => {
    fc.assert(
      fc.property(session, someSettings, fc.nat(), (random, settings, choice) => {
        const engine = engineFor(settings)
        const answers = send(engine, random)
        const index = choice % answers.length
        for (const position of new Set([index, answers.length - 1])) {
          const alone = engineFor(settings).request(random.requests[position]?.messages ?? [])
          expect(shownChanges(alone)).toEqual(shownChanges(answers[position] as EngineRequest))
        }
        const again = engine.request(random.requests.at(-1)?.messages ?? [])
        expect(shownChanges(again)).toEqual(shownChanges(answers.at(-1) as EngineRequest))
        const written = JSON.stringify(engine.ledger.entries)
        const read = createLedger(JSON.parse(written) as LedgerEntry[])
        const decided = engine.ledger.decided()
        expect(JSON.stringify(read.entries)).toBe(written)
        expect(read.decided().map((item) => read.of(item))).toEqual(
          decided.map((item) => engine.ledger.of(item)),
        )
      }),
      { numRuns: 1_000 },
    )
  })

  it('change nothing more when what was shown is taken for the session', () => {
    // At the context limit, each cut makes room for the next session's own.
    const unlimited = someSettings.map((settings) => ({ ...settings, contextLimit: null }))
    fc.assert(
      fc.property(session, unlimited, (random, settings) => {
        const messages = random.requests.at(-1)?.messages ?? []
        const { changes } = engineFor(settings).request(messages)
        const view = applyChanges(messages, changes)
        const again = engineFor(settings).request(view).changes
        // Two calls that were stripped may look like one call made twice.
        const stripped = new Set(
          changes
            .filter(({ decision }) => decision.rendition.how === 'stripped')
            .map((change) => callAt(messages, change)),
        )
        expect(again.filter((change) => !stripped.has(callAt(view, change)))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})
