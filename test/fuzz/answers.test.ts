import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { createUsageReader } from '../../src/gateway/usage-reader.ts'
import { hostileEdits, mutated } from './hostile.ts'
import { fuzzRuns } from './runs.ts'

const numRuns = 400 * fuzzRuns
const timeout = 60_000 * fuzzRuns
const cached = { cache_read_input_tokens: 900, cache_creation_input_tokens: 80 }

/** The events of an answer in each format, the last of which says what it cost. */
const answers: Readonly<Record<BodyFormatName, readonly object[]>> = {
  anthropic: [
    {
      type: 'message_start',
      message: { usage: { input_tokens: 10, ...cached, output_tokens: 1 } },
    },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'ünï\n\ndata: 💥' },
    },
    { type: 'message_delta', usage: { output_tokens: 55 } },
  ],
  'openai-chat': [
    { choices: [{ delta: { content: 'ünï 💥' } }] },
    { choices: [], usage: { prompt_tokens: 990, completion_tokens: 55 } },
  ],
  'openai-responses': [
    { type: 'response.output_text.delta', delta: 'ünï 💥' },
    { type: 'response.completed', response: { usage: { input_tokens: 990, output_tokens: 55 } } },
  ],
  gemini: [
    { candidates: [{ content: { parts: [{ text: 'ünï 💥' }] } }] },
    { usageMetadata: { promptTokenCount: 990, candidatesTokenCount: 55 } },
  ],
}

const streamOf = (events: readonly unknown[]): Buffer =>
  Buffer.from(events.map((event) => `event: x\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join(''))

async function usageIn(format: BodyFormatName, parts: readonly Buffer[]): Promise<unknown> {
  const reader = createUsageReader(format, 'text/event-stream', undefined)
  for (const part of parts) reader.take(part)
  return reader.end()
}

function split(stream: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)), stream.length]
  places.sort((one, other) => one - other)
  return places.slice(1).map((end, at) => stream.subarray(places[at], end))
}

const cuts = fc.array(fc.nat(2_000), { maxLength: 12 })

describe.each(Object.keys(bodyFormats) as BodyFormatName[])('a stream of %s', (format) => {
  const events = answers[format]
  const stream = streamOf(events)

  it('says the same wherever it is split', { timeout }, async () => {
    const whole = await usageIn(format, [stream])
    expect(whole).toMatchObject({ output: 55 })
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        expect(await usageIn(format, split(stream, places))).toEqual(whole)
      }),
      { numRuns },
    )
  })

  it('that ends early, breaks in the middle or lies is read without a fault', {
    timeout,
  }, async () => {
    const noise = fc.uint8Array({ maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(hostileEdits, cuts, fc.nat(), noise, async (edits, places, end, put) => {
        const hostile = streamOf(mutated(events, edits) as readonly unknown[])
        const at = end % (hostile.length + 1)
        const broken = Buffer.concat([hostile.subarray(0, at), put, hostile.subarray(at + 3)])
        for (const sent of [hostile.subarray(0, at), broken]) {
          const usage = await usageIn(format, split(sent, places))
          const counts = Object.values((usage ?? {}) as Readonly<Record<string, number>>)
          expect(counts.every((count) => count >= 0 && count < 1e10)).toBe(true)
        }
      }),
      { numRuns },
    )
  })
})
