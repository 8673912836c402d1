import type { BodyFormatName } from '../../src/formats/format.ts'
import type { Client, ClientPlace, ClientSetup } from './client.ts'
import { newestFile } from './newest-file.ts'

const apis = {
  anthropic: { api: 'anthropic-messages', path: '', model: 'claude-sonnet-4-5' },
  'openai-chat': { api: 'openai-completions', path: '/v1', model: 'scripted-model' },
  'openai-responses': { api: 'openai-responses', path: '/v1', model: 'gpt-5.1' },
} as const

/** Pi in its print mode, with one provider of ours. */
export function pi(version: string, format: Exclude<BodyFormatName, 'gemini'>): Client {
  const { api, path, model } = apis[format]
  const provider = {
    baseUrl: `{url}${path}`,
    api,
    apiKey: 'scripted',
    models: [
      { id: model, reasoning: true, input: ['text'], contextWindow: 200_000, maxTokens: 32_000 },
    ],
  }
  const setUp = ({ home }: ClientPlace, ...args: readonly string[]): ClientSetup => ({
    files: [
      {
        path: `${home}/.pi/agent/models.json`,
        text: JSON.stringify({ providers: { scripted: provider } }),
      },
    ],
    environment: { PI_OFFLINE: '1' },
    args: ['-p', '--model', `scripted/${model}:medium`, ...args],
  })
  return {
    name: `Pi ${version} over ${format}`,
    agent: `pi-${version}`,
    format,
    setUp: (place, prompt) => setUp(place, prompt),
    resume: (place, prompt) => setUp(place, '-c', prompt),
    recording: ({ home }) => newestFile(`${home}/.pi/agent/sessions`, /\.jsonl$/),
  }
}
