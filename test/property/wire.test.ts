import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body, BodyFormatName, RequestRead } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { faultsOf } from './checks.ts'
import { newlyBroken } from './compare.ts'
import { runs } from './runs.ts'
import { sessionScript } from './script.ts'
import { playSession } from './session.ts'
import { engineFor, someSettings } from './settings.ts'
import { bodyOf } from './wire.ts'

const formats = Object.keys(bodyFormats) as BodyFormatName[]
const session = sessionScript.map((script) => playSession(script))

describe.each(formats)('random sessions over %s', { timeout: 180_000 }, (name) => {
  const format = bodyFormats[name]
  const options = name === 'gemini' ? { model: 'gemini-3-pro' } : {}

  it('stay valid requests that differ in nothing but what was decided', () => {
    fc.assert(
      fc.property(session, someSettings, ({ requests }, settings) => {
        const engine = engineFor(settings)
        let previous: RequestRead<Body> | undefined
        for (const { messages } of requests) {
          const before = bodyOf(name, messages)
          const read = format.read(before, previous)
          expect(read.problem).toBeNull()
          previous = read
          const request = engine.request(read.messages)
          expect(faultsOf({ engine, settings, messages: read.messages, request })).toEqual([])
          const { source: after, refused } = format.rewrite(read, request.changes)
          // What the wire does not let us write stays in full.
          const applied = request.changes.filter(
            (change) => !refused.some((refusal) => refusal.change === change),
          )
          if (applied.length === 0) {
            expect(after).toBe(before)
            continue
          }
          const broken = newlyBroken(
            format.validate(before, options),
            format.validate(after, options),
          )
          expect(broken).toEqual([])
          expect(format.validateChange(before, after, options)).toEqual([])
          expect(after.length).toBeLessThan(before.length)
        }
      }),
      { numRuns: runs.wire },
    )
  })
})
