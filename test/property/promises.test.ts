import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveSettings } from '../../src/config/resolve.ts'
import type { Engine, EngineRequest } from '../../src/core/engine.ts'
import { createLedger } from '../../src/core/session/ledger.ts'
import type { ProjectedChange } from '../../src/core/session/project.ts'
import type { LedgerEntry } from '../../src/core/words/ledger.ts'
import { applyChanges, faultsOf } from './checks.ts'
import { shownChanges } from './compare.ts'
import { runs } from './runs.ts'
import { sessionScript } from './script.ts'
import { type PlayedRequest, playSession, type RandomSession } from './session.ts'
import { engineFor, presetNames, someSettings } from './settings.ts'
import { untrueLines } from './truth.ts'

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
  look?: (request: EngineRequest, sent: PlayedRequest) => void,
): EngineRequest[] {
  let frozen = 0
  return requests.map((sent) => {
    const request = engine.request(deepFreeze(sent.messages))
    for (; frozen < engine.record.items.length; frozen++) deepFreeze(engine.record.items[frozen])
    look?.(request, sent)
    return request
  })
}

/** False when the session goes another way at some point; what the agent itself clears or completes is the same way. */
const isOneHistory = ({ script }: RandomSession): boolean =>
  script.turns.every(({ before }) => !['forked', 'edited', 'compacted'].includes(before.kind))

describe('random sessions', { timeout: 180_000 }, () => {
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
      { numRuns: runs.kept },
    )
  })

  it('give the same whole, request by request, in another process, and from a ledger read back', () => {
    fc.assert(
      fc.property(session, someSettings, fc.nat(), (random, settings, choice) => {
        const engine = engineFor(settings)
        const ledgers: string[] = ['[]']
        const answers = send(engine, random, () => {
          ledgers.push(JSON.stringify(engine.ledger.entries))
        })
        const index = choice % answers.length
        for (const position of new Set([index, answers.length - 1])) {
          // What was sent follows from the messages alone only where everything is applied at once.
          const isAlone = settings.schedule === 'eager' || settings.schedule === 'on-demand'
          // A client that changes its history while the process is away leaves no trace of what it had sent.
          const hasGrown = answers.every(
            ({ relation }) => relation === 'first' || relation === 'grown',
          )
          if (!isAlone && !hasGrown) continue
          const ledger = isAlone ? [] : (JSON.parse(ledgers[position] ?? '[]') as LedgerEntry[])
          const other = engineFor(settings, ledger).request(
            random.requests[position]?.messages ?? [],
          )
          expect(shownChanges(other)).toEqual(shownChanges(answers[position] as EngineRequest))
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
      { numRuns: runs.same },
    )
  })

  it("show as a file's content of a turn only what the file said then", () => {
    let views = 0
    fc.assert(
      fc.property(session, fc.constantFrom(0, 1, 4), (random, turnProtection) => {
        const settings = resolveSettings({ preset: 'balanced', schedule: 'eager', turnProtection })
        const engine = engineFor(settings)
        send(engine, random, (request, sent) => {
          const isView = ({ decision }: ProjectedChange): boolean =>
            decision.rendition.how === 'view'
          views += request.changes.filter(isView).length
          expect(untrueLines(random, sent, request, engine)).toEqual([])
        })
      }),
      { numRuns: runs.views },
    )
    expect(views).toBeGreaterThan(100)
  })

  it('show for good what a person took back', () => {
    fc.assert(
      fc.property(session, someSettings, fc.nat(), (random, settings, choice) => {
        const engine = engineFor(settings)
        const back: string[] = []
        send(engine, random, ({ changes }) => {
          expect(changes.filter(({ decision }) => back.includes(decision.handle))).toEqual([])
          const taken = changes[choice % Math.max(1, changes.length)]
          if (back.length > 0 || taken === undefined || !isOneHistory(random)) return
          expect(engine.undo(taken.decision.handle)).toBe(true)
          expect(engine.undo(taken.decision.handle)).toBe(false)
          back.push(taken.decision.handle)
        })
      }),
      { numRuns: runs.takenBack },
    )
  })

  it('are left alone when what was shown is taken for the session', () => {
    let changed = 0
    fc.assert(
      fc.property(session, fc.constantFrom(...presetNames), (random, preset) => {
        const settings = resolveSettings({ preset, schedule: 'eager' })
        const messages = random.requests.at(-1)?.messages ?? []
        const { changes } = engineFor(settings).request(messages)
        const view = applyChanges(messages, changes)
        expect(engineFor(settings).request(view).changes).toEqual([])
        changed += changes.length
      }),
      { numRuns: runs.again },
    )
    expect(changed).toBeGreaterThan(runs.again)
  })
})
