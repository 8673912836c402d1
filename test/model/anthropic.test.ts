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

describe('the Messages API', () => {
  it('answers whole with signed thinking, text and the call of an offered tool', async () => {
    const client = await clientFor(readOnce)
    const answer = await client.messages.create(paramsFor('claude-sonnet-4-6'))
    expect(answer.stop_reason).toBe('tool_use')
    expect(answer.content).toEqual([
      {
        type: 'thinking',
        thinking: 'A file.',
        signature: expect.stringMatching(/^[\w+/]{80,}=*$/),
      },
      { type: 'text', text: 'Let me look.' },
      {
        type: 'tool_use',
        id: expect.stringMatching(/^toolu_01\w{22}$/),
        name: 'read',
        input: { path: 'a.ts' },
      },
    ])
  })

  it('streams the very message that it would answer whole', async () => {
    const whole = await (await clientFor(readOnce)).messages.create(paramsFor('claude-sonnet-4-6'))
    await model?.stop()
    const client = await clientFor(readOnce)
    const streamed = await client.messages.stream(paramsFor('claude-sonnet-4-6')).finalMessage()
    expect(streamed).toMatchObject(whole)
  })

  it('counts tokens and lists models', async () => {
    const client = await clientFor(readOnce)
    const { max_tokens: _limit, ...counted } = paramsFor('claude-sonnet-4-6')
    const count = await client.messages.countTokens(counted)
    const answer = await client.messages.create(paramsFor('claude-sonnet-4-6'))
    const { usage } = answer
    const input =
      usage.input_tokens +
      (usage.cache_read_input_tokens ?? 0) +
      (usage.cache_creation_input_tokens ?? 0)
    expect(count.input_tokens).toBe(input)
    expect((await client.models.list()).data).toEqual([])
  })

  it('leaves the text of thinking out where the request or the model says so', async () => {
    const client = await clientFor(readOnce)
    const thinking = { type: 'adaptive', display: 'omitted' } as const
    const answer = await client.messages.create({ ...paramsFor('claude-opus-4-8'), thinking })
    expect(answer.content[0]).toEqual({
      type: 'thinking',
      thinking: '',
      signature: expect.stringMatching(/.{80}/),
    })
  })

  it('answers an error turn with the status and the envelope of the provider', async () => {
    const client = await clientFor({
      turns: [{ error: { status: 529, message: 'Overloaded' } }, { text: 'Back again.' }],
    })
    const failure = await failureOf(client.messages.create(paramsFor('claude-sonnet-4-6')))
    expect({ status: failure.status, error: failure.error }).toEqual({
      status: 529,
      error: {
        type: 'error',
        error: { type: 'overloaded_error', message: 'Overloaded' },
        request_id: failure.requestID,
      },
    })
    const answer = await client.messages.create(paramsFor('claude-sonnet-4-6'))
    expect(answer.content.at(-1)).toEqual({ type: 'text', text: 'Back again.' })
  })

  it('answers a result without its call in the words of the provider, and uses up no turn', async () => {
    const client = await clientFor(readOnce)
    const params = paramsFor('claude-sonnet-4-6')
    const orphan = { type: 'tool_result' as const, tool_use_id: 'toolu_none', content: 'x' }
    const failure = await failureOf(
      client.messages.create({ ...params, messages: [{ role: 'user', content: [orphan] }] }),
    )
    expect(failure).toBeInstanceOf(Anthropic.BadRequestError)
    expect(failure.message).toContain('unexpected')
    expect(failure.message).toContain('toolu_none')
    expect(model?.remaining()).toBe(2)
  })
})

describe('the prefix cache in the usage figures', () => {
  it('reads in each step of a loop what the step before wrote', async () => {
    const steps = 5
    const turns = Array.from({ length: steps }, (_, step) => ({
      operations: [{ kind: 'read' as const, path: `file-${step}.ts` }],
    }))
    const client = await clientFor({ turns })
    let params: Params = paramsFor('claude-sonnet-4-6')
    const seen: { read: number; written: number; fresh: number }[] = []
    for (let step = 0; step < steps; step += 1) {
      const marked = { ...params, messages: params.messages.map(markLast(params.messages.length)) }
      const answer = await client.messages.create(marked)
      seen.push({
        read: answer.usage.cache_read_input_tokens ?? 0,
        written: answer.usage.cache_creation_input_tokens ?? 0,
        fresh: answer.usage.input_tokens,
      })
      params = continued(params, answer, `text of file ${step} `.repeat(60))
    }
    expect(seen[0]!.read).toBe(0)
    for (const [index, figures] of seen.entries()) {
      expect(figures.fresh).toBe(0)
      expect(figures.written).toBeGreaterThan(0)
      const before = seen[index - 1]
      if (before !== undefined) expect(figures.read).toBe(before.read + before.written)
    }
  })

  it('gives way to figures that the scenario names', async () => {
    const usage = { input: 9_000, output: 12, cacheRead: 5_000, cacheWrite: 3_000 }
    const client = await clientFor({ turns: [{ text: 'Yes.', usage }] })
    const answer = await client.messages.create(paramsFor('claude-sonnet-4-6'))
    expect(answer.usage).toMatchObject({
      input_tokens: 1_000,
      cache_read_input_tokens: 5_000,
      cache_creation_input_tokens: 3_000,
      output_tokens: 12,
    })
  })

  it('is cold again once its lifetime has passed', async () => {
    const client = await clientFor({ turns: [{ text: '1' }, { text: '2' }, { text: '3' }] })
    const read = async (): Promise<number | null> => {
      const answer = await client.messages.create(paramsFor('claude-sonnet-4-6'))
      return answer.usage.cache_read_input_tokens
    }
    expect(await read()).toBe(0)
    model?.advance(4 * 60_000)
    expect(await read()).toBeGreaterThan(2_000)
    model?.advance(5 * 60_000 + 1)
    expect(await read()).toBe(0)
  })
})

function markLast(length: number) {
  return (message: Anthropic.MessageParam, index: number): Anthropic.MessageParam => {
    if (index !== length - 1) return message
    const blocks: Anthropic.ContentBlockParam[] =
      typeof message.content === 'string'
        ? [{ type: 'text', text: message.content }]
        : message.content
    const marked = blocks.map((block, at) =>
      at === blocks.length - 1
        ? { ...block, cache_control: { type: 'ephemeral' as const } }
        : block,
    ) as Anthropic.ContentBlockParam[]
    return { ...message, content: marked } as Anthropic.MessageParam
  }
}
