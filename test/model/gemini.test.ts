import { ApiError, type Content, type GenerateContentParameters, GoogleGenAI } from '@google/genai'
import { afterEach, describe, expect, it } from 'vitest'
import type { Scenario } from './scenario.ts'
import { type RunningModel, startModel } from './server.ts'

let model: RunningModel | undefined
afterEach(async () => {
  await model?.stop()
})

async function clientFor(scenario: Scenario): Promise<GoogleGenAI> {
  model = await startModel({ scenario })
  return new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: model.url } })
}

const scenario: Scenario = {
  turns: [
    {
      reasoning: 'Two files.',
      operations: [
        { kind: 'read', path: 'a.ts' },
        { kind: 'read', path: 'b.ts' },
      ],
    },
    { text: 'Both are empty.' },
  ],
}

const question: Content = { role: 'user', parts: [{ text: 'What is in both?' }] }
const params: GenerateContentParameters = {
  model: 'gemini-3-pro-preview',
  contents: [question],
  config: {
    systemInstruction: 'Be brief. '.repeat(900),
    thinkingConfig: { includeThoughts: true },
    tools: [
      {
        functionDeclarations: [
          {
            name: 'read_file',
            parametersJsonSchema: {
              type: 'object',
              properties: { absolute_path: { type: 'string' } },
            },
          },
        ],
      },
    ],
  },
}

const results: Content = {
  role: 'user',
  parts: [1, 2].map(() => ({ functionResponse: { name: 'read_file', response: { output: '' } } })),
}

describe('generateContent', () => {
  it('answers with thoughts and calls, of which the first is signed', async () => {
    const client = await clientFor(scenario)
    const answer = await client.models.generateContent(params)
    const id = expect.stringMatching(/^call_/)
    expect(answer.candidates?.[0]?.content).toEqual({
      role: 'model',
      parts: [
        { text: 'Two files.', thought: true },
        {
          functionCall: { id, name: 'read_file', args: { absolute_path: 'a.ts' } },
          thoughtSignature: expect.stringMatching(/.{80}/),
        },
        { functionCall: { id, name: 'read_file', args: { absolute_path: 'b.ts' } } },
      ],
    })
  })

  it('streams the same parts', async () => {
    const client = await clientFor({ turns: [scenario.turns[1]!] })
    const texts: string[] = []
    for await (const chunk of await client.models.generateContentStream(params)) {
      texts.push(chunk.text ?? '')
    }
    expect(texts.join('')).toBe('Both are empty.')
    expect(texts.length).toBeGreaterThan(1)
  })

  it('counts tokens', async () => {
    const client = await clientFor(scenario)
    const counted = await client.models.countTokens({ model: params.model, contents: [question] })
    expect(counted.totalTokens).toBeGreaterThan(5)
  })

  it('goes on with its own signature, from the cache, and refuses a foreign one', async () => {
    const client = await clientFor(scenario)
    const answer = await client.models.generateContent(params)
    const said = answer.candidates![0]!.content!
    const forged: Content = {
      ...said,
      parts: said.parts!.map((part) =>
        part.thoughtSignature === undefined ? part : { ...part, thoughtSignature: 'Zm9yZ2Vk' },
      ),
    }
    const failure: unknown = await client.models
      .generateContent({ ...params, contents: [question, forged, results] })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect((failure as ApiError).status).toBe(400)
    expect((failure as ApiError).message).toContain('Corrupted thought signature.')
    const second = await client.models.generateContent({
      ...params,
      contents: [question, said, results],
    })
    expect(second.text).toBe('Both are empty.')
    expect(second.usageMetadata?.cachedContentTokenCount).toBeGreaterThanOrEqual(1_024)
  })

  it('refuses a turn of fewer results than calls in the words of the provider', async () => {
    const client = await clientFor(scenario)
    const answer = await client.models.generateContent(params)
    const said = answer.candidates![0]!.content!
    const one: Content = { role: 'user', parts: results.parts!.slice(1) }
    const failure: unknown = await client.models
      .generateContent({ ...params, contents: [question, said, one] })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect((failure as ApiError).message).toContain('number of function response parts')
  })
})
