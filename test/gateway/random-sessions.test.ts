import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngineMaker } from '../../src/config/engine-maker.ts'
import type { ItemDraft, MessageDraft } from '../../src/core/words/item.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { createDecider } from '../../src/gateway/decide.ts'
import type { Decided } from '../../src/gateway/decided.ts'
import { identityOf } from '../../src/gateway/identity.ts'
import { LiveSessions } from '../../src/session/live-sessions.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { newlyBroken } from '../property/compare.ts'
import { sessionScript } from '../property/script.ts'
import { playSession } from '../property/session.ts'
import { bodyOf } from '../property/wire.ts'

const formats = Object.keys(bodyFormats) as BodyFormatName[]
const config = { toolMappings: [], warnings: [] }
const models = { gemini: 'gemini-3-pro' } as const

type Send = (body: string, session?: string) => Promise<Decided>

/** What stands behind the gateway's server, on a store that may have been used before. */
function deciding(format: BodyFormatName, store: Store, clock: { now: number }): Send {
  const maker = createEngineMaker(config)
  const sessions = new LiveSessions({ store, maker })
  const now = (): number => clock.now
  const decide = createDecider({
    sessions,
    maker,
    models: undefined,
    regime: undefined,
    delegation: null,
    memory: null,
    pauses: { isPaused: () => false },
    restoreCommand: null,
    now,
  })
  const model = format === 'gemini' ? models.gemini : null
  return (body, session = 's') => {
    clock.now += 1000
    const identity = identityOf({ headers: { 'x-session-id': session }, url: '/', format, body })
    const route = { format, purpose: 'answer', model } as const
    return decide({ route, upstream: format, identity, body, isLocal: false })
  }
}

const linear = sessionScript.map((script) =>
  playSession({
    ...script,
    turns: script.turns.map((turn) => ({
      ...turn,
      before: { kind: 'goes-on' as const },
      ending: 'complete' as const,
    })),
  }),
)
const any = sessionScript.map((script) => playSession(script))

/** The same conversation with other calls, so that only what the user said first is the same. */
function renamed(messages: readonly MessageDraft[]): readonly MessageDraft[] {
  const other = <Item extends ItemDraft>(item: Item): Item =>
    'call' in item && item.call !== undefined ? { ...item, call: `other-${item.call}` } : item
  return messages.map((message) => ({ ...message, items: message.items.map(other) }))
}

/** The texts of a body, one after the other. */
function saidIn(format: BodyFormatName, body: Decided['body']): readonly string[] {
  const { messages } = bodyFormats[format].read(body)
  return messages.flatMap(({ items }) => items.map(({ text }) => text))
}

describe.each(formats)('random sessions over %s', { timeout: 240_000 }, (format) => {
  it('are valid when they leave, and no larger than they came', async () => {
    await fc.assert(
      fc.asyncProperty(any, async ({ requests }) => {
        const send = deciding(format, createMemoryStore(), { now: 0 })
        const { validate } = bodyFormats[format]
        const options = format === 'gemini' ? { model: models.gemini } : {}
        for (const { messages } of requests) {
          const body = bodyOf(format, messages)
          const { body: after, receipt, fault } = await send(body)
          expect({ bypass: receipt.bypass, fault }).toEqual({ bypass: null, fault: null })
          expect(after.length).toBeLessThanOrEqual(body.length)
          expect(newlyBroken(validate(body, options), validate(after, options))).toEqual([])
        }
      }),
      { numRuns: 30 },
    )
  })

  it('go on in the same bytes in another process, wherever it takes over', async () => {
    await fc.assert(
      fc.asyncProperty(linear, fc.nat(), async ({ requests }, at) => {
        const whole = deciding(format, createMemoryStore(), { now: 0 })
        const store = createMemoryStore()
        const clock = { now: 0 }
        let send = deciding(format, store, clock)
        for (const [index, { messages }] of requests.entries()) {
          if (index === at % requests.length) send = deciding(format, store, clock)
          const body = bodyOf(format, messages)
          const expected = await whole(body)
          const { body: after, receipt } = await send(body)
          expect(after).toEqual(expected.body)
          expect(receipt.bypass).toBeNull()
        }
      }),
      { numRuns: 30 },
    )
  })

  it('only grow between declared epochs, over restarts and changes of the model', async () => {
    const models: readonly string[] = ['gpt-5.1-codex', 'claude-sonnet-4-5', 'gemini-3-pro']
    const breaks = fc.record({
      restarts: fc.array(fc.nat(40), { maxLength: 4 }),
      switches: fc.array(fc.nat(40), { maxLength: 4 }),
      pauses: fc.array(fc.nat(40), { maxLength: 2 }),
    })
    await fc.assert(
      fc.asyncProperty(linear, breaks, async ({ requests }, { restarts, switches, pauses }) => {
        const store = createMemoryStore()
        const clock = { now: 0 }
        let send = deciding(format, store, clock)
        let model = 0
        let before: readonly string[] = []
        for (const [index, { messages }] of requests.entries()) {
          if (restarts.includes(index)) send = deciding(format, store, clock)
          if (switches.includes(index)) model++
          if (pauses.includes(index)) clock.now += 3_700_000
          const body = JSON.parse(bodyOf(format, messages)) as object
          const named = JSON.stringify({ ...body, model: models[model % models.length] })
          const { body: after, receipt } = await send(named)
          const said = saidIn(format, after)
          if (receipt.opened === null && !switches.includes(index))
            expect(said.slice(0, before.length)).toEqual(before)
          before = said
        }
      }),
      { numRuns: 15 },
    )
  })

  it('are not disturbed by another one of the same name and beginning between their requests', async () => {
    await fc.assert(
      fc.asyncProperty(linear, any, async (one, other) => {
        const whole = deciding(format, createMemoryStore(), { now: 0 })
        const clock = { now: 0 }
        const send = deciding(format, createMemoryStore(), clock)
        for (const [index, { messages }] of one.requests.entries()) {
          const body = bodyOf(format, messages)
          const expected = await whole(body)
          const between = other.requests[index]
          if (between !== undefined) {
            await send(bodyOf(format, renamed(between.messages)))
            clock.now -= 1000
          }
          expect((await send(body)).body).toEqual(expected.body)
        }
      }),
      { numRuns: 30 },
    )
  })
})
