import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV3, LanguageModelV3Middleware } from '@ai-sdk/provider'
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import { arrayOf, objectOf, parseJson } from '../../src/core/words/json.ts'
import {
  type PruneMiddleware,
  type PruneReceipt,
  pruneMiddleware,
  restoreTool,
} from '../../src/sdk/index.ts'
import { type LoggedRequest, type RunningModel, startModel } from '../model/server.ts'
import { useOwnHome } from './own-home.ts'
import { createProject, projectTools, workScenario } from './small-project.ts'

const providers: Readonly<Record<string, (url: string) => LanguageModelV3>> = {
  anthropic: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('claude-haiku-4-5'),
  'openai chat': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('gpt-5.1'),
}

useOwnHome()

interface Loop {
  readonly text: string
  readonly model: RunningModel
  readonly receipts: readonly PruneReceipt[]
  readonly errors: readonly unknown[]
}

interface LoopOptions {
  readonly offersRestore?: boolean
  readonly isStreamed?: boolean
}

async function loop(
  provider: (url: string) => LanguageModelV3,
  { offersRestore = true, isStreamed = false }: LoopOptions = {},
): Promise<Loop> {
  const rounds = 16
  const scenario = workScenario(rounds, offersRestore ? rounds - 1 : -1)
  const model = await startModel({ scenario })
  const receipts: PruneReceipt[] = []
  const errors: unknown[] = []
  const middleware: PruneMiddleware & LanguageModelV3Middleware = pruneMiddleware({
    store: 'memory:',
    onReceipt: (receipt) => receipts.push(receipt),
    onError: (error) => errors.push(error),
  })
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
  const options = {
    model: wrapLanguageModel({ model: provider(model.url), middleware }),
    system: 'Working directory: /home/dev/shop',
    prompt: 'Go through the files one by one.',
    stopWhen: stepCountIs(100),
    maxRetries: 0,
    tools: offersRestore ? { ...tools, context_restore: restoreTool(middleware).aiSdk } : tools,
  }
  const text = isStreamed ? await streamText(options).text : (await generateText(options)).text
  await expect.poll(() => receipts.length).toBe(model.requests.length)
  await middleware.close()
  await model.stop()
  return { text, model, receipts, errors }
}

function messagesOf({ body }: LoggedRequest): readonly string[] {
  return arrayOf(objectOf(parseJson(body)).messages).map((message) => JSON.stringify(message))
}

describe.each(Object.keys(providers))('the middleware before %s', (name) => {
  it.each([false, true])(
    'prunes, keeps sent bytes between epochs, and restores (streamed: %s)',
    async (isStreamed) => {
      const { text, model, receipts, errors } = await loop(providers[name]!, { isStreamed })
      expect(errors).toEqual([])
      expect(text).toBe('All rounds are done.')
      expect(
        model.requests.every(({ status, violations }) => status === 200 && violations.length === 0),
      ).toBe(true)
      const sent = model.requests.map(messagesOf)
      let epochs = 0
      for (const [at, messages] of sent.entries()) {
        const before = sent[at - 1] ?? []
        if (receipts[at]?.opened != null) epochs += 1
        else expect(messages.slice(0, before.length)).toEqual(before)
      }
      expect(epochs).toBeGreaterThan(0)
      const { before = 0, after = 0 } = receipts.at(-1)?.tokens ?? {}
      expect(after).toBeLessThan(before)
      expect(receipts.map(({ turn }) => turn)).toEqual(model.requests.map((_, at) => at + 1))
      expect(receipts.map(({ usage }) => usage?.input)).toEqual(
        model.requests.map(({ usage }) => usage?.input),
      )
      expect(model.requests.at(-1)?.body).toMatch(/context_restore [0-9a-f]{6}/)
      expect(receipts.some(({ restored }) => Object.keys(restored).length > 0)).toBe(true)
    },
  )
})

describe('the middleware', () => {
  it('names no tool that the call does not offer', async () => {
    const { model, receipts } = await loop(providers.anthropic!, { offersRestore: false })
    const { before = 0, after = 0 } = receipts.at(-1)?.tokens ?? {}
    expect(after).toBeLessThan(before)
    expect(model.requests.some(({ body }) => body.includes('context_restore'))).toBe(false)
  })

  it('leaves a call as it is when the store cannot be opened', async () => {
    const errors: unknown[] = []
    const middleware = pruneMiddleware({
      store: '/dev/null/store.db',
      onError: (error) => errors.push(error),
    })
    const params = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] }
    const sent = await middleware.transformParams({ params, model: { modelId: 'any' } })
    expect(sent).toBe(params)
    expect(errors.length).toBe(1)
  })

  it('says what is wrong with its options', () => {
    // @ts-expect-error a misspelled option
    expect(() => pruneMiddleware({ presset: 'compact' })).toThrow(
      "pruneMiddleware has no option 'presset'. Did you mean 'preset'?",
    )
  })
})
