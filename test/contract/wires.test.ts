import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { insertTexts } from '../../src/formats/body/insert-texts.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { bodyFormats, detectBodyFormat, providers } from '../../src/formats/index.ts'
import { type PartialUsage, wholeUsage } from '../../src/formats/usage.ts'
import { bodySamples } from './body-samples.ts'

const source = path.resolve(import.meta.dirname, '../../src')
const names = Object.keys(bodyFormats) as BodyFormatName[]

/** An answer of 100 input tokens, 60 of them cached, and 7 output tokens, whole and as the events of a stream. */
const answers: Readonly<Record<BodyFormatName, readonly (readonly object[])[]>> = {
  anthropic: [
    [{ usage: { input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 7 } }],
    [
      { message: { usage: { input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 1 } } },
      { delta: {}, usage: { output_tokens: 7 } },
    ],
  ],
  'openai-chat': [
    [
      {
        usage: {
          prompt_tokens: 100,
          prompt_tokens_details: { cached_tokens: 60 },
          completion_tokens: 7,
        },
      },
    ],
    [
      { choices: [{}], usage: null },
      { usage: { prompt_tokens: 100, prompt_cache_hit_tokens: 60, completion_tokens: 7 } },
    ],
  ],
  'openai-responses': ['usage', 'response'].map((member) => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60 },
      output_tokens: 7,
    }
    return [{ response: { usage: null } }, member === 'usage' ? { usage } : { response: { usage } }]
  }),
  gemini: [0, 1].map((wrapped) => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 4,
      thoughtsTokenCount: 3,
    }
    return [wrapped === 1 ? { response: { usageMetadata } } : { usageMetadata }]
  }),
}

const paths: Readonly<Record<BodyFormatName, string>> = {
  anthropic: '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  gemini: '/v1beta/models/gemini-x:generateContent',
}

describe.each(names)('the wire of %s', (name) => {
  const { wire, ...format } = bodyFormats[name]
  const sample = bodySamples.find(({ format: of }) => of === name)?.body ?? ''

  it('knows its path, and no other format takes it', () => {
    expect(detectBodyFormat('', paths[name])).toBe(name)
    expect(wire.readPath(paths[name])?.purpose).toBe('answer')
    const takers = names.filter((each) => bodyFormats[each].wire.readPath(paths[name]) !== null)
    expect(takers).toEqual([name])
  })

  it.each(answers[name])('reads the usage of an answer', (...events) => {
    const reported: PartialUsage = {}
    for (const event of events) wire.takeUsage({ ...event }, reported)
    expect(wholeUsage(reported)).toMatchObject({ input: 100, cacheRead: 60, output: 7 })
  })

  it('has a place for a text before and behind every message', () => {
    const read = format.read(sample)
    expect(read.problem).toBeNull()
    for (const message of read.messages.keys()) {
      for (const side of ['before', 'behind'] as const) {
        const body = insertTexts(wire.insertion, read, [{ message, side, text: 'Use tabs.' }])
        const items = format.read(body ?? '').messages.flatMap((each) => each.items)
        expect(items.filter(({ text }) => text.includes('Use tabs.'))).toHaveLength(1)
      }
    }
  })

  it('belongs to a provider with an address', () => {
    expect(providers).toContain(wire.provider)
    expect(new URL(wire.provider.address).protocol).toBe('https:')
  })
})

describe('what is known about an API', () => {
  it('is in a folder of its own, and every such folder is in the list', () => {
    const folders = readdirSync(path.join(source, 'formats')).filter((folder) =>
      existsSync(path.join(source, 'formats', folder, 'wire.ts')),
    )
    expect(folders).toEqual(names.toSorted())
  })

  it('is nowhere in the gateway', () => {
    const naming = readdirSync(path.join(source, 'gateway'))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => {
        const text = readFileSync(path.join(source, 'gateway', file), 'utf8')
        const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
        return /anthropic|openai|gemini|googleapis|usageMetadata|prompt_tokens/i.test(code)
      })
    expect(naming).toEqual([])
  })
})
