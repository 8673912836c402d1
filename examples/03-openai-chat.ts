// OpenAI's SDK with chat completions: a pruned `fetch`, and the restore tool beside your own in `runTools`.
import { readFile } from 'node:fs/promises'
import OpenAI from 'openai'
import { restoreTool, withPalimpsest } from 'palimpsest/sdk'

export async function answer(
  question: string,
  baseURL = 'https://api.openai.com/v1',
): Promise<string> {
  const fetch = withPalimpsest(globalThis.fetch)
  const client = new OpenAI({ fetch, baseURL })
  const runner = client.chat.completions.runTools(
    {
      model: 'gpt-5.1',
      messages: [{ role: 'user', content: question }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'read',
            description: 'Reads a file.',
            parameters: { type: 'object', properties: { path: { type: 'string' } } },
            parse: (input: string): { path: string } => JSON.parse(input),
            function: ({ path }: { path: string }) => readFile(path, 'utf8'),
          },
        },
        restoreTool(fetch).openaiChat,
      ],
    },
    { maxChatCompletions: 50 },
  )
  const text = await runner.finalContent()
  await fetch.close()
  return text ?? ''
}
