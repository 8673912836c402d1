// OpenAI's SDK with the Responses API: a pruned `fetch`, and a loop that runs the tools.
import { readFile } from 'node:fs/promises'
import OpenAI from 'openai'
import { restoreTool, withPalimpsest } from 'palimpsest/sdk'

export async function answer(
  question: string,
  baseURL = 'https://api.openai.com/v1',
): Promise<string> {
  const fetch = withPalimpsest(globalThis.fetch)
  const client = new OpenAI({ fetch, baseURL })
  const restore = restoreTool(fetch)
  const read: OpenAI.Responses.FunctionTool = {
    type: 'function',
    name: 'read',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    strict: false,
  }
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: question }]
  for (;;) {
    const response = await client.responses.create({
      model: 'gpt-5.1',
      // The history is sent with each request: what the provider keeps cannot be pruned.
      store: false,
      include: ['reasoning.encrypted_content'],
      input,
      tools: [read, restore.openaiResponses],
    })
    for (const item of response.output)
      if (item.type === 'message' || item.type === 'reasoning' || item.type === 'function_call')
        input.push(item)
    const calls = response.output.filter((item) => item.type === 'function_call')
    for (const { call_id, name, arguments: given } of calls) {
      const values = JSON.parse(given)
      const output =
        name === restore.name ? await restore.run(values) : await readFile(values.path, 'utf8')
      input.push({ type: 'function_call_output', call_id, output })
    }
    if (calls.length > 0) continue
    await fetch.close()
    return response.output_text
  }
}
