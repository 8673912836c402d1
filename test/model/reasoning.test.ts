import Anthropic from '@anthropic-ai/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { continued, failureOf, type Params, paramsFor, readOnce } from './anthropic-conversation.ts'
import type { Scenario } from './scenario.ts'
import { type RunningModel, startModel } from './server.ts'

let model: RunningModel | undefined
afterEach(async () => {
  await model?.stop()
})

async function clientFor(scenario: Scenario): Promise<Anthropic> {
  model = await startModel({ scenario })
  return new Anthropic({ baseURL: model.url, apiKey: 'none', maxRetries: 0 })
}

describe('signed thinking that comes back', () => {
  it('is accepted as it was, whatever changed around it, on models that bind it to nothing', async () => {
    const client = await clientFor(readOnce)
    const params = paramsFor('claude-sonnet-4-6')
    const answer = await client.messages.create(params)
    const next = continued(params, answer, 'nothing')
    const changed = { ...next, system: 'Be long.' }
    const second = await client.messages.create(changed)
    expect(second.content).toEqual([{ type: 'text', text: 'It is empty.' }])
  })

  it('is refused when its text was altered in the latest assistant message', async () => {
    const client = await clientFor(readOnce)
    const params = paramsFor('claude-sonnet-4-6')
    const answer = await client.messages.create(params)
    const altered = answer.content.map((block) =>
      block.type === 'thinking' ? { ...block, thinking: '—' } : block,
    )
    const next = continued(params, { ...answer, content: altered }, 'nothing')
    const failure = await failureOf(client.messages.create(next))
    expect(failure.message).toContain(
      'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
    )
  })

  it('is refused when it is missing beside a call that it led to', async () => {
    const client = await clientFor(readOnce)
    const params = paramsFor('claude-sonnet-4-6')
    const answer = await client.messages.create(params)
    const without = answer.content.filter((block) => block.type === 'tool_use')
    const next = continued(params, { ...answer, content: without }, 'nothing')
    const failure = await failureOf(client.messages.create(next))
    expect(failure.status).toBe(400)
  })

  it('is refused when nobody here signed it', async () => {
    const client = await clientFor(readOnce)
    const params = paramsFor('claude-sonnet-4-6')
    const answer = await client.messages.create(params)
    const forged = answer.content.map((block) =>
      block.type === 'thinking' ? { ...block, signature: 'Zm9yZ2Vk' } : block,
    )
    const next = continued(params, { ...answer, content: forged }, 'nothing')
    const failure = await failureOf(client.messages.create(next))
    expect(failure.message).toContain(
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    )
  })

  it('is refused after a changed prefix on models that bind it, unless the request drops it', async () => {
    const client = await clientFor(readOnce)
    const params: Params = { ...paramsFor('claude-opus-5-5'), thinking: { type: 'adaptive' } }
    const answer = await client.messages.create(params)
    const next = continued(params, answer, 'nothing')
    const changed: Params = {
      ...next,
      messages: [{ role: 'user', content: 'What?' }, ...next.messages.slice(1)],
    }
    const failure = await failureOf(client.messages.create(changed))
    expect(failure.message).toContain('The block is bound to a different conversation.')
    const binding = { prefix_mismatch_behavior: 'drop_block' }
    const thinking = { type: 'adaptive', block_binding: binding } as Params['thinking'] & object
    const dropped = await client.messages.create({ ...changed, thinking })
    expect(dropped.content).toEqual([{ type: 'text', text: 'It is empty.' }])
  })

  it('survives moved marks of the cache and the long spelling of a text', async () => {
    const client = await clientFor(readOnce)
    const params: Params = { ...paramsFor('claude-opus-5-5'), thinking: { type: 'adaptive' } }
    const answer = await client.messages.create(params)
    const next = continued(params, answer, 'nothing')
    const spelled: Anthropic.TextBlockParam = {
      type: 'text',
      text: 'What is in a.ts?',
      cache_control: { type: 'ephemeral', ttl: '5m' },
    }
    const messages = [{ role: 'user' as const, content: [spelled] }, ...next.messages.slice(1)]
    const second = await client.messages.create({ ...next, messages })
    expect(second.content).toEqual([{ type: 'text', text: 'It is empty.' }])
  })

  it('comes without text when it is withheld, and returns as it was', async () => {
    const [first, second] = readOnce.turns
    const client = await clientFor({ turns: [{ ...first, redacted: true }, second!] })
    const params = paramsFor('claude-sonnet-4-6')
    const answer = await client.messages.create(params)
    expect(answer.content[0]).toEqual({
      type: 'redacted_thinking',
      data: expect.stringMatching(/.{80}/),
    })
    const next = await client.messages.create(continued(params, answer, 'nothing'))
    expect(next.content).toEqual([{ type: 'text', text: 'It is empty.' }])
  })
})
