import type {
  LanguageModelV3,
  LanguageModelV3Content,
  LanguageModelV3Prompt,
} from '@ai-sdk/provider'
import {
  generateText,
  jsonSchema,
  type ModelMessage,
  stepCountIs,
  tool,
  wrapLanguageModel,
} from 'ai'
import { describe, expect, it } from 'vitest'
import type { RequestRead } from '../format.ts'
import { aiSdk } from './index.ts'

type List = readonly unknown[]

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that gives these answers one after the other, and keeps the prompts it was given. */
function modelOf(answers: readonly LanguageModelV3Content[][]): {
  readonly model: LanguageModelV3
  readonly prompts: LanguageModelV3Prompt[]
} {
  const prompts: LanguageModelV3Prompt[] = []
  const model: LanguageModelV3 = {
    specificationVersion: 'v3',
    provider: 'test',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async ({ prompt }) => {
      const content = answers[prompts.length] ?? []
      prompts.push(prompt)
      const calls = content.some(({ type }) => type === 'tool-call')
      const unified = calls ? 'tool-calls' : 'stop'
      return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] }
    },
    doStream: async () => {
      throw new Error('not streamed here')
    },
  }
  return { model, prompts }
}

const anything = jsonSchema<Record<string, unknown>>({ type: 'object' })

const tools = {
  read: tool({ inputSchema: anything, execute: async () => 'line one\nline two' }),
  count: tool({ inputSchema: anything, execute: async () => ({ lines: 2 }) }),
  fail: tool({
    inputSchema: anything,
    execute: async (): Promise<string> => {
      throw new Error('broken pipe')
    },
  }),
  look: tool({
    inputSchema: anything,
    execute: async () => 'seen',
    toModelOutput: () => ({
      type: 'content',
      value: [
        { type: 'text', text: 'a picture' },
        { type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
      ],
    }),
  }),
}

function call(id: string, toolName: string, input: object): LanguageModelV3Content {
  return { type: 'tool-call', toolCallId: id, toolName, input: JSON.stringify(input) }
}

const answers: readonly LanguageModelV3Content[][] = [
  [
    {
      type: 'reasoning',
      text: 'read it first',
      providerMetadata: { anthropic: { signature: 'sig' } },
    },
    { type: 'text', text: 'Reading.' },
    call('c1', 'read', { path: 'a.ts' }),
    call('c2', 'count', { path: 'a.ts' }),
  ],
  [call('c3', 'fail', {}), call('c4', 'look', { at: 'b.png' })],
  [{ type: 'text', text: 'Two lines.' }],
]

describe('prompts that the AI SDK itself makes', () => {
  it('are read step by step, each going on from the one before', async () => {
    const { model, prompts } = modelOf(answers)
    const { response } = await generateText({
      model,
      tools,
      stopWhen: stepCountIs(5),
      system: 'Be brief.',
      prompt: 'How many lines?',
    })
    expect(prompts.length).toBe(3)
    const reads: RequestRead<List>[] = []
    for (const prompt of prompts) reads.push(aiSdk.read(prompt, reads.at(-1)))
    expect(reads.map(({ shared, problem }) => ({ shared, problem }))).toEqual([
      { shared: 0, problem: null },
      { shared: 2, problem: null },
      { shared: 4, problem: null },
    ])
    const status = 'ok'
    expect(reads.at(-1)?.messages).toEqual([
      { role: 'system', items: [{ kind: 'text', text: 'Be brief.' }] },
      { role: 'user', items: [{ kind: 'text', text: 'How many lines?' }] },
      {
        role: 'assistant',
        items: [
          { kind: 'reasoning', binding: 'signed', text: 'read it first' },
          { kind: 'text', text: 'Reading.' },
          { kind: 'call', call: 'c1', tool: 'read', text: '{"path":"a.ts"}' },
          { kind: 'call', call: 'c2', tool: 'count', text: '{"path":"a.ts"}' },
        ],
      },
      {
        role: 'tool',
        items: [
          { kind: 'result', call: 'c1', tool: 'read', status, text: 'line one\nline two' },
          { kind: 'result', call: 'c2', tool: 'count', status, text: '{"lines":2}' },
        ],
      },
      {
        role: 'assistant',
        items: [
          { kind: 'call', call: 'c3', tool: 'fail', text: '{}' },
          { kind: 'call', call: 'c4', tool: 'look', text: '{"at":"b.png"}' },
        ],
      },
      {
        role: 'tool',
        items: [
          { kind: 'result', call: 'c3', tool: 'fail', status: 'error', text: 'broken pipe' },
          { kind: 'result', call: 'c4', tool: 'look', status, text: 'a picture' },
          {
            kind: 'attachment',
            call: 'c4',
            media: 'image/png',
            text: expect.stringMatching(/^image\/png, 8 bytes, sha256 [0-9a-f]{16}$/),
          },
        ],
      },
    ])
    for (const prompt of prompts) expect(aiSdk.validate(prompt)).toEqual([])
    const kept: ModelMessage[] = [
      { role: 'user', content: 'How many lines?' },
      ...response.messages,
    ]
    expect(aiSdk.validate(kept)).toEqual([])
    expect(aiSdk.read(kept).messages.slice(0, 5)).toEqual(reads.at(-1)?.messages.slice(1))
  })

  it('can be rewritten on their way to the model, and the SDK goes on as if nothing had been', async () => {
    const { model, prompts } = modelOf(answers)
    let changed = 0
    const wrapped = wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: 'v3',
        transformParams: async ({ params }) => {
          const read = aiSdk.read(params.prompt)
          const changes = read.messages.flatMap(({ items }, message) =>
            items.flatMap((item, index) =>
              item.kind === 'result' ? [{ message, item: index, text: '[cleared]' }] : [],
            ),
          )
          const { source, refused } = aiSdk.rewrite(read, changes)
          expect(refused).toEqual([])
          expect(aiSdk.validateChange(params.prompt, source)).toEqual([])
          changed += changes.length
          return { ...params, prompt: source as LanguageModelV3Prompt }
        },
      },
    })
    const { text, response } = await generateText({
      model: wrapped,
      tools,
      stopWhen: stepCountIs(5),
      prompt: 'How many lines?',
    })
    expect({ text, changed }).toEqual({ text: 'Two lines.', changed: 6 })
    const sent = prompts.at(-1)?.filter(({ role }) => role === 'tool')
    expect(sent?.flatMap(({ content }): readonly unknown[] => [...content])).toMatchObject([
      { toolCallId: 'c1', output: { type: 'text', value: '[cleared]' } },
      { toolCallId: 'c2', output: { type: 'text', value: '[cleared]' } },
      { toolCallId: 'c3', output: { type: 'error-text', value: '[cleared]' } },
      {
        toolCallId: 'c4',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: '[cleared]' },
            { type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
          ],
        },
      },
    ])
    const originals = JSON.stringify(response.messages)
    expect(originals).toContain('line one')
    expect(originals).not.toContain('[cleared]')
  })

  it('break the same rules, in the same words, that the SDK itself enforces', async () => {
    const open: ModelMessage = {
      role: 'assistant',
      content: ['x', 'y'].map((id) => ({
        type: 'tool-call',
        toolCallId: id,
        toolName: 'read',
        input: {},
      })),
    }
    const lists: readonly (readonly ModelMessage[])[] = [
      [{ role: 'user', content: 'a' }, open, { role: 'user', content: 'b' }],
      [{ role: 'user', content: 'a' }, open],
      [
        { role: 'user', content: 'a' },
        open,
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'y',
              toolName: 'read',
              output: { type: 'text', value: '' },
            },
          ],
        },
      ],
      [],
      [{ role: 'tool', content: 'text' } as unknown as ModelMessage],
      [{ role: 'user', content: [{ type: 'text' }] } as unknown as ModelMessage],
    ]
    for (const messages of lists) {
      const { model } = modelOf([])
      const error = await generateText({ model, messages: [...messages] }).catch((thrown) => thrown)
      expect(aiSdk.validate(messages).map(({ message }) => message)).toEqual([error.message])
    }
  })
})
