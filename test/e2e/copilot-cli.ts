import type { BodyFormatName } from '../../src/formats/format.ts'
import type { Client, ClientPlace, ClientSetup } from './client.ts'
import { newestFile } from './newest-file.ts'

const wires = {
  anthropic: { type: 'anthropic', path: '', model: 'claude-sonnet-4-5', api: {} },
  'openai-chat': {
    type: 'openai',
    path: '/v1',
    model: 'gpt-4.1',
    api: { COPILOT_PROVIDER_WIRE_API: 'completions' },
  },
  'openai-responses': {
    type: 'openai',
    path: '/v1',
    model: 'gpt-5.1',
    api: { COPILOT_PROVIDER_WIRE_API: 'responses' },
  },
} as const

/** Copilot CLI in its prompt mode, with a provider of the user's own. */
export function copilotCli(version: string, format: Exclude<BodyFormatName, 'gemini'>): Client {
  const { type, path, model, api } = wires[format]
  const setUp = (_: ClientPlace, ...args: readonly string[]): ClientSetup => ({
    files: [],
    environment: {
      COPILOT_PROVIDER_TYPE: type,
      COPILOT_PROVIDER_BASE_URL: `{url}${path}`,
      COPILOT_PROVIDER_API_KEY: 'scripted',
      COPILOT_MODEL: model,
      // What it knows of some models is so little that it would compact in the middle of a session.
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '200000',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      ...api,
    },
    args: ['--allow-all-tools', '--allow-all-paths', '--no-auto-update', ...args],
  })
  return {
    name: `Copilot CLI ${version} over ${format}`,
    agent: `copilot-cli-${version}`,
    format,
    setUp: (place, prompt) => setUp(place, '-p', prompt),
    resume: (place, prompt) => setUp(place, '--continue', '-p', prompt),
    recording: ({ home }) => newestFile(`${home}/.copilot/session-state`, /events\.jsonl$/),
  }
}
