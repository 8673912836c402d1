// The AI SDK: a middleware around any model, and the restore tool beside your own.
import { readFile } from 'node:fs/promises'
import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText, jsonSchema, stepCountIs, tool, wrapLanguageModel } from 'ai'
import { pruneMiddleware, restoreTool } from 'palimpsest/sdk'

export async function answer(
  question: string,
  baseURL = 'https://api.anthropic.com/v1',
): Promise<string> {
  const middleware = pruneMiddleware()
  const model = wrapLanguageModel({
    model: createAnthropic({ baseURL })('claude-haiku-4-5'),
    middleware,
  })
  const { text } = await generateText({
    model,
    prompt: question,
    stopWhen: stepCountIs(50),
    tools: {
      read: tool({
        description: 'Reads a file.',
        inputSchema: jsonSchema<{ path: string }>({
          type: 'object',
          properties: { path: { type: 'string' } },
        }),
        execute: ({ path }) => readFile(path, 'utf8'),
      }),
      context_restore: restoreTool(middleware).aiSdk,
    },
  })
  await middleware.close()
  return text
}
