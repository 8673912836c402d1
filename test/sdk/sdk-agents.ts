import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI, type Part } from '@google/genai'
import OpenAI from 'openai'
import type { BodyFormatName } from '../../src/formats/format.ts'
import type { FetchLike, RestoreTool } from '../../src/sdk/index.ts'
import { type AskedCall, createProject, projectTools } from './small-project.ts'

export interface AgentOptions {
  readonly url: string
  readonly fetch: FetchLike
  readonly restore: RestoreTool
  /** Answers a call of the restore tool. */
  runRestore(input: unknown): Promise<string>
  readonly headers?: Record<string, string>
}

/** Runs an agent until the model has no more calls; returns its last text. */
export type SdkAgent = (options: AgentOptions) => Promise<string>

const system = 'You are a careful agent.\nWorking directory: /home/dev/shop\n'
const task = 'Go through the files one by one.'
const mostTurns = 200

function runner({ runRestore }: AgentOptions): (call: AskedCall) => Promise<string> {
  const project = createProject()
  return async (call) =>
    call.name === 'context_restore' ? runRestore(call.input) : project.run(call)
}

/** Every second request is streamed. */
const isStreamed = (turn: number): boolean => turn % 2 === 1

const anthropicAgent: SdkAgent = async (options) => {
  const { url, fetch, headers = {} } = options
  const client = new Anthropic({
    baseURL: url,
    apiKey: 'none',
    fetch,
    defaultHeaders: headers,
    maxRetries: 0,
  })
  const run = runner(options)
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }]
  for (let turn = 0; turn < mostTurns; turn++) {
    const params = {
      model: 'claude-haiku-4-5',
      max_tokens: 4_000,
      system: [
        { type: 'text' as const, text: system, cache_control: { type: 'ephemeral' as const } },
      ],
      tools: [
        ...projectTools.map(({ name, description, schema }) => ({
          name,
          description,
          input_schema: schema,
        })),
        options.restore.anthropic,
      ],
      messages,
    }
    const answer = isStreamed(turn)
      ? await client.messages.stream(params).finalMessage()
      : await client.messages.create(params)
    messages.push({ role: 'assistant', content: answer.content })
    const calls = answer.content.filter((block) => block.type === 'tool_use')
    const last = answer.content.find((block) => block.type === 'text')?.text ?? ''
    if (calls.length === 0) return last
    const content = []
    for (const { id, name, input } of calls)
      content.push({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: await run({ name, input }),
      })
    messages.push({ role: 'user', content })
  }
  throw new Error('the agent did not end')
}

const chatAgent: SdkAgent = async (options) => {
  const { url, fetch, headers = {} } = options
  const client = new OpenAI({
    baseURL: `${url}/v1`,
    apiKey: 'none',
    fetch,
    defaultHeaders: headers,
    maxRetries: 0,
  })
  const run = runner(options)
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: system },
    { role: 'user', content: task },
  ]
  for (let turn = 0; turn < mostTurns; turn++) {
    const params = {
      model: 'gpt-5.1',
      messages,
      tools: [
        ...projectTools.map(({ name, description, schema }) => ({
          type: 'function' as const,
          function: { name, description, parameters: schema },
        })),
        options.restore.openaiChat,
      ],
    }
    const answer = isStreamed(turn)
      ? await client.chat.completions
          .stream({ ...params, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client.chat.completions.create(params)
    const { content = '', tool_calls = [] } = answer.choices[0]?.message ?? {}
    const calls = tool_calls.flatMap((call) =>
      call.type === 'function'
        ? [
            {
              id: call.id,
              type: call.type,
              function: { name: call.function.name, arguments: call.function.arguments },
            },
          ]
        : [],
    )
    messages.push({
      role: 'assistant',
      content,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    })
    if (calls.length === 0) return content ?? ''
    for (const { id, function: called } of calls) {
      const result = await run({ name: called.name, input: JSON.parse(called.arguments) })
      messages.push({ role: 'tool', tool_call_id: id, content: result })
    }
  }
  throw new Error('the agent did not end')
}

const responsesAgent: SdkAgent = async (options) => {
  const { url, fetch, headers = {} } = options
  const client = new OpenAI({
    baseURL: `${url}/v1`,
    apiKey: 'none',
    fetch,
    defaultHeaders: headers,
    maxRetries: 0,
  })
  const run = runner(options)
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: task }]
  for (let turn = 0; turn < mostTurns; turn++) {
    const params = {
      model: 'gpt-5.1',
      store: false,
      instructions: system,
      input,
      tools: [
        ...projectTools.map(({ name, description, schema }) => ({
          type: 'function' as const,
          name,
          description,
          parameters: schema,
          strict: false,
        })),
        options.restore.openaiResponses,
      ],
    }
    const answer = isStreamed(turn)
      ? await client.responses.stream(params).finalResponse()
      : await client.responses.create(params)
    let calls = 0
    const output: OpenAI.Responses.ResponseInputItem[] = []
    for (const item of answer.output) {
      if (item.type === 'message')
        input.push({
          type: 'message',
          role: 'assistant',
          content: item.content
            .flatMap((part) => (part.type === 'output_text' ? [part.text] : []))
            .join(''),
        })
      if (item.type !== 'function_call') continue
      calls += 1
      const { call_id, name, arguments: given } = item
      input.push({ type: 'function_call', call_id, name, arguments: given })
      const result = await run({ name, input: JSON.parse(given) })
      output.push({ type: 'function_call_output', call_id, output: result })
    }
    input.push(...output)
    if (calls === 0) return answer.output_text
  }
  throw new Error('the agent did not end')
}

const geminiAgent: SdkAgent = async (options) => {
  const { url, fetch, headers = {} } = options
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url, fetch, headers } })
  const run = runner(options)
  const contents: Content[] = [{ role: 'user', parts: [{ text: task }] }]
  for (let turn = 0; turn < mostTurns; turn++) {
    const params = {
      model: 'gemini-3-pro-preview',
      contents,
      config: {
        systemInstruction: system,
        tools: [
          {
            functionDeclarations: [
              ...projectTools.map(({ name, description, schema }) => ({
                name,
                description,
                parametersJsonSchema: schema,
              })),
              options.restore.gemini.declaration,
            ],
          },
        ],
      },
    }
    const parts: Part[] = []
    if (isStreamed(turn)) {
      for await (const chunk of await client.models.generateContentStream(params))
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
    } else {
      const answer = await client.models.generateContent(params)
      parts.push(...(answer.candidates?.[0]?.content?.parts ?? []))
    }
    contents.push({ role: 'model', parts })
    const calls = parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [functionCall],
    )
    if (calls.length === 0) return parts.map((part) => part.text ?? '').join('')
    const results: Part[] = []
    for (const { id, name = '', args } of calls) {
      const output = await run({ name, input: args })
      results.push({
        functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output } },
      })
    }
    contents.push({ role: 'user', parts: results })
  }
  throw new Error('the agent did not end')
}

export const sdkAgents: Readonly<Record<BodyFormatName, SdkAgent>> = {
  anthropic: anthropicAgent,
  'openai-chat': chatAgent,
  'openai-responses': responsesAgent,
  gemini: geminiAgent,
}
