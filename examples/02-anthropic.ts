// Anthropic's SDK: a pruned `fetch`, and a loop that runs the restore tool beside your own.
import { readFile } from 'node:fs/promises'
import Anthropic from '@anthropic-ai/sdk'
import { restoreTool, withPalimpsest } from 'palimpsest/sdk'

const read = {
  name: 'read',
  description: 'Reads a file.',
  input_schema: { type: 'object' as const, properties: { path: { type: 'string' } } },
}

export async function answer(
  question: string,
  baseURL = 'https://api.anthropic.com',
): Promise<string> {
  const fetch = withPalimpsest(globalThis.fetch)
  const client = new Anthropic({ fetch, baseURL })
  const restore = restoreTool(fetch)
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
  for (;;) {
    // The whole history is sent each time. The provider keeps the history of the SDK's tool runner, which cannot be pruned.
    const { content } = await client.messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 4_000,
      tools: [read, restore.anthropic],
      messages,
    })
    messages.push({ role: 'assistant', content })
    const results: Anthropic.ToolResultBlockParam[] = []
    for (const block of content) {
      if (block.type !== 'tool_use') continue
      const output =
        block.name === restore.name
          ? await restore.run(block.input)
          : await readFile((block.input as { path: string }).path, 'utf8')
      results.push({ type: 'tool_result', tool_use_id: block.id, content: output })
    }
    if (results.length > 0) {
      messages.push({ role: 'user', content: results })
      continue
    }
    await fetch.close()
    return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
  }
}
