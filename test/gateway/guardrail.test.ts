import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { arrayOf, type JsonObject, objectOf } from '../../src/core/words/json.ts'
import { changedBefore, hashesIn, retrieve } from './compress-calls.ts'
import { post, type Setting, startSetting } from './setting.ts'
import { storyBodies } from './story.ts'

let setting: Setting

beforeEach(async () => {
  setting = await startSetting()
})
afterEach(async () => {
  expect(setting.faults).toEqual([])
  await setting.stop()
})

const key = { 'x-api-key': 'the-gateway' }

interface Verdict {
  readonly action: string
  readonly texts?: readonly string[]
}

async function ask(call: unknown): Promise<Verdict> {
  const path = '/beta/litellm_basic_guardrail_api'
  const reply = await post(`${setting.gateway.url}${path}`, JSON.stringify(call), key)
  expect(reply.status).toBe(200)
  return JSON.parse(reply.body) as Verdict
}

/** The request as LiteLLM writes it: all texts of the messages, in their order. */
function requestOf(messages: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  const texts = messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : arrayOf(content).flatMap((part) => objectOf(part).text ?? []),
  )
  return {
    input_type: 'request',
    litellm_call_id: crypto.randomUUID(),
    litellm_trace_id: null,
    structured_messages: messages,
    images: null,
    tools: null,
    texts,
    request_data: { user_api_key_hash: 'hash-of-a-key' },
    request_headers: { 'user-agent': 'claude-cli', authorization: '[present]' },
    litellm_version: '1.97.1',
    additional_provider_specific_params: {},
    tool_calls: null,
    model: 'gpt-5',
    ...more,
  }
}

const stories = storyBodies('openai-chat', { turns: 16 }).map(
  (body) => JSON.parse(body).messages as readonly JsonObject[],
)

describe("LiteLLM's generic guardrail API", () => {
  it('shortens texts in their places, and never a text that it showed before', async () => {
    let before: readonly string[] = []
    for (const messages of stories) {
      const request = requestOf(messages)
      const { action, texts } = await ask(request)
      const original = request.texts as readonly string[]
      const shown = texts ?? original
      expect(action).toBe(texts === undefined ? 'NONE' : 'GUARDRAIL_INTERVENED')
      expect(shown).toHaveLength(original.length)
      expect(changedBefore(before, shown)).toBe(0)
      before = shown
    }
    const original = requestOf(stories.at(-1) ?? []).texts as readonly string[]
    expect(before.join('').length).toBeLessThan(original.join('').length * 0.7)
    // An input cannot be changed here, so no result may say that one was left out.
    expect(before.join('\n')).not.toContain('input left out')
    for (const hash of hashesIn(before)) {
      // The user's key is part of whom an original belongs to, and nobody but LiteLLM can name it.
      expect((await retrieve(setting.gateway.url, hash, key)).status).toBe(404)
    }
  })

  it('finds the texts when LiteLLM sends only some of them', async () => {
    for (const messages of stories.slice(0, -1)) await ask(requestOf(messages))
    const last = stories.at(-1) ?? []
    const texts = last.filter(({ role }) => role === 'tool').map(({ content }) => content)
    const verdict = await ask(requestOf(last, { texts }))
    expect(verdict.texts).toHaveLength(texts.length)
    expect(verdict.texts?.join('').length).toBeLessThan(texts.join('').length * 0.7)
  })

  it('never blocks: answers, requests without messages and odd ones stay as they are', async () => {
    const odd: readonly JsonObject[] = [
      { input_type: 'response', texts: ['done'] },
      { input_type: 'request', texts: ['hello'] },
      { input_type: 'request', texts: ['hello'], structured_messages: [null, 4] },
      requestOf([{ role: 'nobody', content: 'x' }]),
      requestOf([]),
    ]
    for (const call of odd) expect(await ask(call)).toEqual({ action: 'NONE' })
  })

  it('with mode audit changes nothing', async () => {
    for (const messages of stories) {
      const audit = { additional_provider_specific_params: { mode: 'audit' } }
      expect(await ask(requestOf(messages, audit))).toEqual({ action: 'NONE' })
    }
  })
})
