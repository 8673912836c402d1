import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPrefixCost } from '../../src/core/schedule/cache-model.ts'
import type { PromptPiece } from '../../src/core/schedule/cached-prefixes.ts'
import { findRegime, type Regime } from '../../src/core/schedule/regimes.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting

beforeEach(async () => {
  setting = await startSetting()
})
afterEach(async () => {
  expect(setting.faults).toEqual([])
  await setting.stop()
})

const headers = { 'x-session-id': 's', authorization: 'Bearer sk-one' }

async function arrived(
  path: string,
  body: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const reply = await setting.post(path, body, { ...headers, ...more })
  expect([path, reply.status]).toEqual([path, 200])
  expect(setting.upstream.received.at(-1)?.url).toBe(path)
  return String(setting.upstream.received.at(-1)?.body)
}

async function sent(path: string, bodies: readonly string[], id: string): Promise<string[]> {
  const found: string[] = []
  for (const body of bodies) found.push(await arrived(path, body, { 'x-session-id': id }))
  return found
}

describe('a session is the same on every route of its provider', () => {
  it('of Gemini, streamed or not, and its counts see what would be sent', async () => {
    // Gemini caches nothing below 4,096 tokens, so a short story is left alone.
    const bodies = storyBodies('gemini', { turns: 24 })
    const expected = await sent(paths.gemini, bodies, 'plain')
    expect(expected.at(-1)?.length).toBeLessThan((bodies.at(-1)?.length ?? 0) / 2)
    const streamed = paths.gemini.replace('generateContent', 'streamGenerateContent?alt=sse')
    const counted = paths.gemini.replace('generateContent', 'countTokens')
    for (const [turn, body] of bodies.entries()) {
      expect(await arrived(counted, body)).toBe(expected[turn])
      expect(await arrived(turn % 2 === 0 ? streamed : paths.gemini, body)).toBe(expected[turn])
    }
  })

  it('of OpenAI, whose compaction gets what would be sent and is no turn', async () => {
    const path = paths['openai-responses']
    const bodies = storyBodies('openai-responses')
    const expected = await sent(path, bodies, 'plain')
    expect(expected.at(-1)?.length).toBeLessThan((bodies.at(-1)?.length ?? 0) / 2)
    for (const [turn, body] of bodies.entries()) {
      expect(await arrived(path, body)).toBe(expected[turn])
      expect(await arrived(`${path}/compact`, body)).toBe(expected[turn])
      expect(await arrived(`${path}/input_tokens`, body)).toBe(expected[turn])
    }
  })

  it('of Anthropic, with the betas of its query', async () => {
    const bodies = storyBodies('anthropic')
    const expected = await sent(paths.anthropic, bodies, 'plain')
    for (const [turn, body] of bodies.entries()) {
      const counted = `${paths.anthropic}/count_tokens?beta=true`
      expect(await arrived(counted, body)).toBe(expected[turn])
      expect(await arrived(`${paths.anthropic}?beta=true`, body)).toBe(expected[turn])
    }
  })
})

describe('a session is called as its client calls it', () => {
  it.each([
    ['x-claude-code-session-id'],
    ['session-id'],
    ['x-session-id'],
    ['session_id'],
    ['x-session-affinity'],
  ])('in the header %s', async (header) => {
    const body = storyBodies('anthropic').at(-1) as string
    await setting.post(paths.anthropic, body, { [header]: 'my-session', 'x-api-key': 'k' })
    expect((await setting.store.sessions()).map(({ id }) => id)).toEqual(['my-session'])
  })

  it.each(['openai-chat', 'openai-responses'] as const)(
    'in prompt_cache_key of %s, unless a header does',
    async (format) => {
      const story = JSON.parse(storyBodies(format).at(-1) as string) as object
      const body = JSON.stringify({ ...story, prompt_cache_key: 'my-key' })
      await setting.post(paths[format], body, { authorization: 'Bearer k' })
      await setting.post(paths[format], body, { authorization: 'Bearer k', 'session-id': 'mine' })
      const ids = (await setting.store.sessions()).map(({ id }) => id)
      expect([...ids].sort()).toEqual(['mine', 'my-key'])
    },
  )
})

describe('a changed request', () => {
  it('differs in the changed blocks alone, however it is written', async () => {
    const story = JSON.parse(storyBodies('anthropic').at(-1) as string) as object
    const odd = { ...story, metadata: { user_id: 'ü\u2028' }, x_unknown: [1, { deep: null }] }
    const body = JSON.stringify(odd, null, 3)
      .replace('"max_tokens": 1000', '"max_tokens" :1e3 , "x_big": 12345678901234567890')
      .replace('Rename', '\\u0052ename')
    const after = await arrived(paths.anthropic, body)
    // Only what tools were given and gave back may be another.
    const frame = (text: string): string =>
      text
        .replace(/"content": "(?:[^"\\]|\\.)*"/g, '"content": …')
        .replace(/"input": \{[^}]*\}/g, '"input": …')
    expect(after.length).toBeLessThan(body.length / 2)
    expect(frame(after)).toBe(frame(body))
    expect(frame(body)).toContain('12345678901234567890')
  })
})

describe('what a request saved', () => {
  it('is priced by the table that the configuration can change', async () => {
    const body = storyBodies('anthropic').at(-1) as string
    const saved = async (inputPrice: number): Promise<number> => {
      const priced = await startSetting({ config: { models: [{ model: '*', inputPrice }] } })
      const reply = await priced.post(paths.anthropic, body, headers)
      const status = priced.gateway.status()
      await priced.stop()
      const said = Number(/saved=\$([\d.]+)/.exec(String(reply.headers['x-palimpsest']))?.[1])
      expect(status.savedDollars).toBeCloseTo(said, 2)
      return said
    }
    const [cheap, expensive] = [await saved(1), await saved(10)]
    expect(cheap).toBeGreaterThan(0)
    expect(expensive / cheap).toBeCloseTo(10, 1)
  })

  it.each(['acp', 'history', 'balanced', 'off'] as const)(
    'is what the requests as they arrived cost less than as they came, under %s',
    async (preset) => {
      const priced = await startSetting({ config: { preset, regime: 'anthropic-5m' } })
      const regime = findRegime('anthropic-5m') as Regime
      const [without, withUs] = [createPrefixCost(regime), createPrefixCost(regime)]
      let differs = 0
      for (const body of storyBodies('anthropic', { turns: 40 })) {
        const reply = await priced.post(paths.anthropic, body, headers)
        const receipt = String(reply.headers['x-palimpsest'])
        const said = Number(/saved=\$(-?[\d.]+)/.exec(receipt)?.[1])
        const arrivedBody = String(priced.upstream.received.at(-1)?.body)
        const less = without.price(pieces(body), null) - withUs.price(pieces(arrivedBody), null)
        // The price is of tokens: between a fifth and a half of the characters.
        if (Math.abs(less) < 1e-4) expect(Math.abs(said), receipt).toBeLessThan(1e-4)
        else {
          differs++
          expect(said / less, receipt).toBeGreaterThan(0.2)
          expect(said / less, receipt).toBeLessThan(0.5)
        }
      }
      await priced.stop()
      if (preset === 'off') expect(differs).toBe(0)
      else expect(differs).toBeGreaterThan(20)
    },
  )
})

/** The messages of a body, each as large as what it says. */
function pieces(body: string): readonly PromptPiece[] {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { content: unknown }[] }
  return messages.map((message) => ({
    id: JSON.stringify(message),
    tokens: charactersIn(message.content),
  }))
}

function charactersIn(content: unknown): number {
  if (typeof content === 'string') return content.length
  const blocks = content as readonly { text?: string; input?: object; content?: unknown }[]
  return blocks.reduce((sum, { text, input, content: inner }) => {
    const written = text ?? (input === undefined ? '' : JSON.stringify(input))
    return sum + written.length + (inner === undefined ? 0 : charactersIn(inner))
  }, 0)
}
