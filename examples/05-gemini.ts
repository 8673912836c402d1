// Google's SDK: a pruned `fetch`, and the restore tool beside your own in automatic function calling.
import { readFile } from 'node:fs/promises'
import { type CallableTool, GoogleGenAI } from '@google/genai'
import { restoreTool, withPalimpsest } from 'palimpsest/sdk'

const read: CallableTool = {
  tool: async () => ({
    functionDeclarations: [
      {
        name: 'read_file',
        description: 'Reads a file.',
        parametersJsonSchema: { type: 'object', properties: { absolute_path: { type: 'string' } } },
      },
    ],
  }),
  callTool: (calls) =>
    Promise.all(
      calls
        .filter(({ name }) => name === 'read_file')
        .map(async ({ name = '', args = {} }) => {
          const output = await readFile(String(args.absolute_path), 'utf8')
          return { functionResponse: { name, response: { output } } }
        }),
    ),
}

export async function answer(
  question: string,
  baseUrl = 'https://generativelanguage.googleapis.com',
): Promise<string> {
  const fetch = withPalimpsest(globalThis.fetch)
  const client = new GoogleGenAI({ httpOptions: { fetch, baseUrl } })
  const response = await client.models.generateContent({
    model: 'gemini-3-pro-preview',
    contents: question,
    config: {
      tools: [read, restoreTool(fetch).gemini],
      automaticFunctionCalling: { maximumRemoteCalls: 50 },
    },
  })
  await fetch.close()
  return response.text ?? ''
}
