import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { Scenario } from './scenario.ts'
import { type RunningModel, startModel } from './server.ts'

let model: RunningModel | undefined
afterEach(async () => {
  await model?.stop()
})

async function clientFor(scenario: Scenario): Promise<OpenAI> {
  model = await startModel({ scenario })
  return new OpenAI({ baseURL: `${model.url}/v1`, apiKey: 'none', maxRetries: 0 })
}

const parameters = { type: 'object', properties: { command: { type: 'string' } } }
const scenario: Scenario = {
  turns: [
    { text: 'Let me see.', reasoning: 'List it.', operations: [{ kind: 'bash', command: 'ls' }] },
    { text: 'One file.' },
  ],
}

type ChatParams = OpenAI.ChatCompletionCreateParamsNonStreaming
const chatParams: ChatParams = {
  model: 'gpt-4.1',
  messages: [
    { role: 'system', content: 'Be brief. '.repeat(900) },
    { role: 'user', content: 'What is here?' },
  ],
  tools: [{ type: 'function', function: { name: 'bash', parameters } }],
}

type ResponseParams = OpenAI.Responses.ResponseCreateParamsNonStreaming
const responseParams: ResponseParams = {
  model: 'gpt-5.1',
  store: false,
  instructions: 'Be brief. '.repeat(900),
  reasoning: { effort: 'medium', summary: 'auto' },
  include: ['reasoning.encrypted_content'],
  input: [{ role: 'user', content: 'What is here?' }],
  tools: [{ type: 'function', name: 'bash', parameters, strict: false }],
}

function respondedTo(params: ResponseParams, output: readonly unknown[]): ResponseParams {
  const items = output as OpenAI.Responses.ResponseInputItem[]
  const results = items.flatMap((item) =>
    item.type === 'function_call'
      ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'a.ts' }]
      : [],
  )
  const input = params.input as OpenAI.Responses.ResponseInputItem[]
  return { ...params, input: [...input, ...items, ...results] }
}

async function failureOf(attempt: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const failure: unknown = await attempt.then(
    () => new Error('the request was accepted'),
    (error: unknown) => error,
  )
  if (failure instanceof OpenAI.APIError) return failure
  throw failure
}

describe('Chat Completions', () => {
  it('answers with reasoning_content, text and calls', async () => {
    const client = await clientFor(scenario)
    const answer = await client.chat.completions.create(chatParams)
    expect(answer.choices).toEqual([
      {
        index: 0,
        finish_reason: 'tool_calls',
        logprobs: null,
        message: {
          role: 'assistant',
          content: 'Let me see.',
          reasoning_content: 'List it.',
          refusal: null,
          tool_calls: [
            {
              id: expect.stringMatching(/^call_\w{22}$/),
              type: 'function',
              function: { name: 'bash', arguments: '{"command":"ls"}' },
            },
          ],
        },
      },
    ])
  })

  it('streams what it would answer whole, and the usage when asked', async () => {
    const client = await clientFor(scenario)
    const stream = client.chat.completions.stream({
      ...chatParams,
      stream: true,
      stream_options: { include_usage: true },
    })
    const answer = await stream.finalChatCompletion()
    const choice = answer.choices[0]!
    expect(choice.message.content).toBe('Let me see.')
    expect(
      choice.message.tool_calls?.map((call) => call.type === 'function' && call.function),
    ).toMatchObject([{ name: 'bash', arguments: '{"command":"ls"}' }])
    expect(answer.usage?.total_tokens).toBe(
      (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
    )
  })

  it('reads a growing prefix from the cache in steps of 128 tokens, from 1,024 on', async () => {
    const client = await clientFor({ turns: Array.from({ length: 5 }, () => ({ text: 'Yes.' })) })
    const messages = [...chatParams.messages]
    const cached: number[] = []
    for (let step = 0; step < 5; step += 1) {
      const answer = await client.chat.completions.create({ ...chatParams, messages })
      cached.push(answer.usage?.prompt_tokens_details?.cached_tokens ?? -1)
      messages.push({ role: 'assistant', content: 'Yes.' })
      messages.push({ role: 'user', content: `And ${step}? ${'word '.repeat(150)}` })
    }
    expect(cached[0]).toBe(0)
    expect(cached.every((tokens) => tokens % 128 === 0)).toBe(true)
    expect(cached.slice(1).every((tokens) => tokens >= 1_024)).toBe(true)
    expect([...cached].sort((a, b) => a - b)).toEqual(cached)
    expect(new Set(cached).size).toBe(5)
  })

  it('answers a tool message without its call with the error class of the SDK', async () => {
    const client = await clientFor(scenario)
    const messages = [
      ...chatParams.messages,
      { role: 'tool' as const, tool_call_id: 'call_none', content: 'x' },
    ]
    const failure = await failureOf(client.chat.completions.create({ ...chatParams, messages }))
    expect(failure).toBeInstanceOf(OpenAI.BadRequestError)
    expect(failure.type).toBe('invalid_request_error')
    expect(model?.remaining()).toBe(2)
  })
})

describe('the Responses API', () => {
  it('streams what it would answer whole', async () => {
    const client = await clientFor(scenario)
    type StreamParams = Parameters<typeof client.responses.stream>[0]
    const stream = client.responses.stream(responseParams as StreamParams)
    const streamed = await stream.finalResponse()
    await model?.stop()
    const whole = await (await clientFor(scenario)).responses.create(responseParams)
    expect(streamed.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
    ])
    expect(streamed.output_text).toBe('Let me see.')
    expect(streamed.id).toBe(whole.id)
    expect(streamed.usage).toEqual(whole.usage)
    expect(streamed.output).toMatchObject(whole.output)
  })

  it('calls a custom tool with its own text', async () => {
    const client = await clientFor({
      turns: [{ operations: [{ kind: 'edit', path: 'a.ts', old: 'one', new: 'two' }] }],
    })
    const tools = [{ type: 'custom' as const, name: 'apply_patch' }]
    const answer = await client.responses.create({ ...responseParams, tools })
    expect(answer.output).toMatchObject([
      {
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch\n',
      },
    ])
  })

  it('accepts its own encrypted reasoning, and refuses an altered one', async () => {
    const client = await clientFor(scenario)
    const answer = await client.responses.create(responseParams)
    const altered = answer.output.map((item) =>
      item.type === 'reasoning' ? { ...item, encrypted_content: 'gAAAAother' } : item,
    )
    const failure = await failureOf(client.responses.create(respondedTo(responseParams, altered)))
    expect(failure.code).toBe('invalid_encrypted_content')
    expect(failure.message).toContain('could not be verified')
    const second = await client.responses.create(respondedTo(responseParams, answer.output))
    expect(second.output_text).toBe('One file.')
  })

  it('refuses a call that comes back with its id but without its reasoning', async () => {
    const client = await clientFor(scenario)
    const answer = await client.responses.create(responseParams)
    const call = answer.output.find((item) => item.type === 'function_call')!
    const failure = await failureOf(client.responses.create(respondedTo(responseParams, [call])))
    expect(failure.message).toContain(
      `Item '${call.id}' of type 'function_call' was provided without its required 'reasoning' item: 'rs_`,
    )
    const { id: _id, ...plain } = call
    const second = await client.responses.create(respondedTo(responseParams, [plain]))
    expect(second.output_text).toBe('One file.')
  })

  it('reports the tokens that the cache held', async () => {
    const client = await clientFor(scenario)
    const answer = await client.responses.create(responseParams)
    const second = await client.responses.create(respondedTo(responseParams, answer.output))
    const cached = second.usage?.input_tokens_details.cached_tokens ?? 0
    expect(answer.usage?.input_tokens_details.cached_tokens).toBe(0)
    expect(cached).toBeGreaterThan(1_900)
    expect(cached).toBeLessThanOrEqual(answer.usage?.input_tokens ?? 0)
  })
})
