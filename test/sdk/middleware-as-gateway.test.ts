import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV3 } from '@ai-sdk/provider'
import { generateText, jsonSchema, stepCountIs, tool, wrapLanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import { startGateway, upstreamsWith } from '../../src/gateway/index.ts'
import { pruneMiddleware, restoreTool } from '../../src/sdk/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { startModel } from '../model/server.ts'
import { useOwnHome } from './own-home.ts'
import { createProject, projectTools, workScenario } from './small-project.ts'

/** Two requests each. */
const rounds = 17
const session = 'one-and-the-same'
const headers = { 'x-session-id': session }

const providers: Readonly<Record<string, (url: string) => LanguageModelV3>> = {
  anthropic: (url) =>
    createAnthropic({
      baseURL: `${url}/v1`,
      apiKey: 'none',
      headers,
    })('claude-haiku-4-5'),
  'openai chat': (url) =>
    createOpenAI({
      baseURL: `${url}/v1`,
      apiKey: 'none',
      headers,
    }).chat('gpt-5.1'),
  'openai responses': (url) =>
    createOpenAI({
      baseURL: `${url}/v1`,
      apiKey: 'none',
      headers,
    }).responses('gpt-5.1'),
}

useOwnHome()

/** A conversation of the AI SDK: what the provider received of each request. */
async function conversation(
  provider: (url: string) => LanguageModelV3,
  door: 'middleware' | 'gateway',
): Promise<readonly string[]> {
  const model = await startModel({ scenario: workScenario(rounds, -1) })
  const middleware = pruneMiddleware({ store: 'memory:', session })
  const gateway =
    door === 'gateway'
      ? await startGateway({
          store: createMemoryStore(),
          config: { toolMappings: [], warnings: [] },
          upstreams: upstreamsWith({ anthropic: model.url, openai: model.url }),
        })
      : null
  const plain = provider(gateway?.url ?? model.url)
  const project = createProject()
  const tools = Object.fromEntries(
    projectTools.map(({ name, description, schema }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Record<string, string>>(schema),
        execute: async (input) => project.run({ name, input }),
      }),
    ]),
  )
  await generateText({
    model: door === 'middleware' ? wrapLanguageModel({ model: plain, middleware }) : plain,
    system: 'Working directory: /home/dev/shop',
    prompt: 'Go through the files one by one.',
    stopWhen: stepCountIs(100),
    maxRetries: 0,
    tools: { ...tools, context_restore: restoreTool(middleware).aiSdk },
  })
  await middleware.close()
  await gateway?.close(0)
  await model.stop()
  return model.requests.map(({ body }) => body)
}

/**
 * The bodies with handles numbered as they appear. A handle is made from the message that holds the item, and providers
 * divide a conversation into other messages than the AI SDK: one for each result, or results as the user's.
 */
function numbered(bodies: readonly string[]): readonly string[] {
  const numbers = new Map<string, number>()
  return bodies.map((body) =>
    body.replace(/\b(?:result|context_restore) ([0-9a-f]{6})\b/g, (text, handle: string) => {
      const number = numbers.get(handle) ?? numbers.size + 1
      numbers.set(handle, number)
      return text.replace(handle, `handle ${number}`)
    }),
  )
}

describe.each(Object.keys(providers))('a conversation of the AI SDK with %s', (name) => {
  it('sends the same bytes through the middleware and through the gateway, handles apart', async () => {
    const provider = providers[name]!
    const inside = numbered(await conversation(provider, 'middleware'))
    const through = numbered(await conversation(provider, 'gateway'))
    expect(inside.length).toBeGreaterThan(30)
    expect(inside).toHaveLength(through.length)
    expect(inside.filter((body) => body.includes('context_restore handle')).length).toBeGreaterThan(
      20,
    )
    for (const [index, body] of inside.entries())
      expect({ request: index + 1, body }).toEqual({ request: index + 1, body: through[index] })
  }, 60_000)
})
