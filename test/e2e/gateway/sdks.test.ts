import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { type Gateway, startGateway, upstreamsWith } from '../../../src/gateway/index.ts'
import { createMemoryStore } from '../../../src/store/index.ts'
import type { Scenario } from '../../model/scenario.ts'
import { type RunningModel, startModel } from '../../model/server.ts'

let model: RunningModel | undefined
let gateway: Gateway | undefined
afterEach(async () => {
  await gateway?.close(0)
  await model?.stop()
})

const scenario: Scenario = {
  turns: [
    { text: 'Let me see.', operations: [{ kind: 'bash', command: 'ls' }] },
    { text: 'One file.' },
  ],
  last: 'Done.',
}
const parameters = { type: 'object' as const, properties: { command: { type: 'string' } } }
/** Keeps the prompt above the smallest size that providers cache, below which nothing is shortened. */
const question = `What is here? Some notes first: ${'the notes go on for a while. '.repeat(900)}`
const longOutput = Array.from({ length: 900 }, (_, n) => `file-${n}.ts`).join('\n')

async function start(): Promise<string> {
  model = await startModel({ scenario })
  const { url } = model
  gateway = await startGateway({
    store: createMemoryStore(),
    config: { toolMappings: [], warnings: [] },
    upstreams: upstreamsWith({ anthropic: url, openai: url, gemini: url }),
    // Without a way back, nothing is shortened.
    restoreCommand: '/opt/palimpsest/restore',
  })
  return gateway.url
}

/** What arrived last at the model. */
function arrived(): string {
  return model?.requests.at(-1)?.body ?? ''
}

describe("Anthropic's SDK through the gateway", () => {
  const params: Anthropic.MessageCreateParamsNonStreaming = {
    model: 'claude-sonnet-4-6',
    max_tokens: 500,
    messages: [{ role: 'user', content: question }],
    tools: [{ name: 'bash', input_schema: parameters }],
  }
  const client = (url: string): Anthropic =>
    new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 })

  it('answers whole, and with a tool whose long output is shortened on the way', async () => {
    const sdk = client(await start())
    const first = await sdk.messages.create(params)
    const call = first.content.find((block) => block.type === 'tool_use')
    expect(call?.name).toBe('bash')
    const result = {
      type: 'tool_result',
      tool_use_id: call?.id ?? '',
      content: longOutput,
    } as const
    const second = await sdk.messages.create({
      ...params,
      messages: [
        ...params.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [result] },
      ],
    })
    expect(second.content).toEqual([expect.objectContaining({ type: 'text', text: 'One file.' })])
    expect(arrived().length).toBeLessThan(question.length + longOutput.length)
    expect(arrived()).toMatch(/ · (?:[^·\]]* )?[0-9a-f]{6}(?::\d+-\d+)?\]/)
  })

  it('streams, counts and lists models', async () => {
    const sdk = client(await start())
    const streamed = await sdk.messages.stream(params).finalMessage()
    expect(streamed.content.map(({ type }) => type)).toEqual(['text', 'tool_use'])
    const { max_tokens: _, ...counted } = params
    const { input_tokens } = await sdk.messages.countTokens(counted)
    expect(input_tokens).toBeGreaterThan(0)
    expect((await sdk.models.list()).data).toEqual([])
  })
})

describe("OpenAI's SDK through the gateway", () => {
  const client = (url: string): OpenAI =>
    new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 })
  const chat: OpenAI.ChatCompletionCreateParamsNonStreaming = {
    model: 'gpt-4.1',
    messages: [{ role: 'user', content: question }],
    tools: [{ type: 'function', function: { name: 'bash', parameters } }],
  }

  it('completes chats, plain, with tools and streamed', async () => {
    const sdk = client(await start())
    const first = await sdk.chat.completions.create(chat)
    const message = first.choices[0]?.message as OpenAI.ChatCompletionMessage
    const id = message.tool_calls?.[0]?.id ?? ''
    const stream = await sdk.chat.completions.create({
      ...chat,
      messages: [
        ...chat.messages,
        message,
        { role: 'tool', tool_call_id: id, content: longOutput },
      ],
      stream: true,
    })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('One file.')
    expect(arrived().length).toBeLessThan(question.length + longOutput.length)
  })

  const params = {
    model: 'gpt-5.1',
    store: false,
    input: question,
    tools: [{ type: 'function' as const, name: 'bash', parameters, strict: false }],
  }

  it('responds, plain and streamed', async () => {
    const sdk = client(await start())
    const first = await sdk.responses.create(params)
    expect(first.output.map(({ type }) => type)).toContain('function_call')
    const stream = sdk.responses.stream(params)
    expect((await stream.finalResponse()).output_text).toBe('One file.')
  })

  it('responds with a tool whose long output is shortened on the way, and counts the same', async () => {
    const sdk = client(await start())
    const first = await sdk.responses.create(params)
    const call = first.output.find((item) => item.type === 'function_call')
    const input: OpenAI.Responses.ResponseInput = [
      { role: 'user', content: params.input },
      ...first.output.filter((item) => item.type === 'function_call'),
      { type: 'function_call_output', call_id: call?.call_id ?? '', output: longOutput },
    ]
    const whole = await sdk.responses.inputTokens.count(
      { model: params.model, input, tools: params.tools },
      { headers: { 'x-palimpsest': 'off' } },
    )
    const { model: name, tools } = params
    const { input_tokens } = await sdk.responses.inputTokens.count({ model: name, input, tools })
    expect(input_tokens).toBeLessThan(whole.input_tokens - 1000)
    const second = await sdk.responses.create({ ...params, input })
    expect(second.output_text).toBe('One file.')
    expect(arrived().length).toBeLessThan(question.length + longOutput.length)
  })
})

describe("Google's SDK through the gateway", () => {
  it('generates, plain, streamed, with a tool whose long output is shortened, and counted', async () => {
    const url = await start()
    const sdk = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } })
    const params = {
      model: 'gemini-3-pro-preview',
      contents: [{ role: 'user', parts: [{ text: question }] }],
      config: {
        tools: [{ functionDeclarations: [{ name: 'bash', parametersJsonSchema: parameters }] }],
      },
    }
    const first = await sdk.models.generateContent(params)
    expect(first.functionCalls?.[0]?.name).toBe('bash')
    let text = ''
    for await (const chunk of await sdk.models.generateContentStream(params))
      text += chunk.text ?? ''
    expect(text).toBe('One file.')
    const call = { role: 'model', parts: first.candidates?.[0]?.content?.parts ?? [] }
    const response = { name: 'bash', response: { output: longOutput } }
    const answered = { role: 'user', parts: [{ functionResponse: response }] }
    const third = await sdk.models.generateContent({
      ...params,
      contents: [...params.contents, call, answered],
    })
    expect(third.text).toBe('Done.')
    expect(arrived().length).toBeLessThan(question.length + longOutput.length)
    const { contents, model: name } = params
    const { totalTokens } = await sdk.models.countTokens({ model: name, contents })
    expect(totalTokens).toBeGreaterThan(0)
  })
})
