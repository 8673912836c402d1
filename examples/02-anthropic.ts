// Anthropic's SDK: a pruned `fetch`, and the restore tool beside your own in the tool runner.
import { readFile } from 'node:fs/promises'
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { restoreTool, withPalimpsest } from 'palimpsest/sdk'

export async function answer(question: string, baseURL = 'https://api.anthropic.com'): Promise<string> {
  const fetch = withPalimpsest(globalThis.fetch)
  const client = new Anthropic({ fetch, baseURL })
  const read = betaTool({
    name: 'read',
    description: 'Reads a file.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    },
    run: ({ path }) => readFile(path, 'utf8'),
  })
  const message = await client.beta.messages.toolRunner({
    model: 'claude-haiku-4-5',
    max_tokens: 4_000,
    tools: [read, restoreTool(fetch).anthropic],
    messages: [{ role: 'user', content: question }],
  })
  await fetch.close()
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
}
