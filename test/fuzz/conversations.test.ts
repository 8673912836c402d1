import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ProjectedChange } from '../../src/core/session/project.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import type { Body, BodyFormatName, Format, RequestRead } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { rewriteBody } from '../../src/gateway/rewrite-body.ts'
import { bodySamples } from '../contract/body-samples.ts'
import { objectFormats } from '../contract/formats-of-lists.ts'
import { objectSamples } from '../contract/object-samples.ts'
import { storyMessages } from '../gateway/story.ts'
import { newlyBroken } from '../property/compare.ts'
import { engineFor, presetSettings } from '../property/settings.ts'
import { bodyOf } from '../property/wire.ts'
import { hostileEdits, mutated } from './hostile.ts'
import { fuzzRuns } from './runs.ts'

const perFormat = 375 * fuzzRuns
/** Operations in all conversations of a format: 20,000 in six of them. */
const leastOperations = (20_000 / 6) * fuzzRuns
const timeout = 120_000 * fuzzRuns
const story = storyMessages({ turns: 8 }).at(-1) ?? []

function samplesOf(format: BodyFormatName): readonly unknown[] {
  const [sample] = bodySamples.filter((each) => each.format === format)
  return [JSON.parse(sample?.body ?? '{}'), JSON.parse(bodyOf(format, story))]
}

interface Outcome {
  /** Items that were shown differently. */
  changed: number
  /** Requests that went out as they came, because a change would have broken a rule. */
  withheld: number
  /** Calls of tools in all requests that were read. */
  operations: number
}

type Write<Source> = (
  read: RequestRead<Source>,
  changes: readonly ProjectedChange[],
) => { readonly source: Source; readonly isWithheld: boolean }

/** Sends conversations one after the other through one session. */
function play<Source>(
  format: Format<Source>,
  sources: readonly Source[],
  settings: Settings,
  write: Write<Source>,
): Outcome {
  const engine = engineFor(settings)
  const outcome = { changed: 0, withheld: 0, operations: 0 }
  for (const source of sources) {
    const read = format.read(source)
    const { changes, fault } = engine.request(read.messages)
    expect(fault).toBeNull()
    outcome.operations += read.messages
      .flatMap(({ items }) => items)
      .filter(({ kind }) => kind === 'call').length
    if (read.problem !== null) continue
    const { source: after, isWithheld } = write(read, changes)
    if (isWithheld) outcome.withheld++
    if (after === source) continue
    outcome.changed += changes.length
    expect(newlyBroken(format.validate(source), format.validate(after))).toEqual([])
    expect(format.validateChange(source, after)).toEqual([])
  }
  return outcome
}

describe.each(Object.keys(bodyFormats) as BodyFormatName[])('hostile bodies of %s', (name) => {
  const samples = samplesOf(name)

  it('never throw, and differ in nothing but what was decided', { timeout }, () => {
    const sum: Outcome = { changed: 0, withheld: 0, operations: 0 }
    const write: Write<Body> = (read, changes) => {
      const how = { model: null, before: null, branch: null }
      const { body, violation } = rewriteBody(name, read, changes, how)
      expect(body.length).toBeLessThanOrEqual(read.source.length)
      return { source: body, isWithheld: violation !== null }
    }
    const sample = fc.constantFrom(...samples)
    fc.assert(
      fc.property(sample, hostileEdits, presetSettings, (original, edits, settings) => {
        const texts = [mutated(original, edits), original].map((each) => JSON.stringify(each) ?? '')
        const { changed, withheld, operations } = play(bodyFormats[name], texts, settings, write)
        sum.changed += changed
        sum.withheld += withheld
        sum.operations += operations
      }),
      { numRuns: perFormat },
    )
    expect(sum.changed).toBeGreaterThan(perFormat)
    expect(sum.withheld).toBeLessThan(perFormat / 25)
    expect(sum.operations).toBeGreaterThan(leastOperations)
  })

  it('never throw where they are no JSON', { timeout }, () => {
    const text = JSON.stringify(samples[0])
    fc.assert(
      fc.property(
        fc.nat(text.length),
        fc.nat(20),
        fc.string({ unit: 'binary' }),
        (at, cut, put) => {
          const broken = Buffer.from(text.slice(0, at) + put + text.slice(at + cut))
          const read = bodyFormats[name].read(broken)
          expect(bodyFormats[name].rewrite(read, []).source).toBe(broken)
          bodyFormats[name].validate(broken)
        },
      ),
      { numRuns: Math.ceil(perFormat / 4) },
    )
  })
})

describe.each(Object.values(objectFormats))('hostile messages of $name', (format) => {
  it('never throw, and differ in nothing but what was decided', { timeout }, () => {
    let withheld = 0
    let operations = 0
    const write: Write<readonly unknown[]> = (read, changes) => {
      const { source } = format.rewrite(read, changes)
      const isWithheld =
        newlyBroken(format.validate(read.source), format.validate(source)).length > 0 ||
        format.validateChange(read.source, source).length > 0
      return { source: isWithheld ? read.source : source, isWithheld }
    }
    const sample = objectSamples[format.name as keyof typeof objectSamples]
    fc.assert(
      fc.property(hostileEdits, presetSettings, (edits, settings) => {
        const copies = [mutated(sample, edits), structuredClone(sample)] as (readonly unknown[])[]
        const before = JSON.stringify(copies)
        const outcome = play(format, copies, settings, write)
        withheld += outcome.withheld
        operations += outcome.operations
        expect(JSON.stringify(copies)).toBe(before)
      }),
      { numRuns: perFormat },
    )
    expect(withheld).toBeLessThan(perFormat / 25)
    expect(operations).toBeGreaterThan(leastOperations)
  })
})
