import type { Client } from './client.ts'

/** Cline in its print mode, with a key of Anthropic. */
export function cline(version: string): Client {
  const settings = {
    provider: 'anthropic',
    apiKey: 'sk-ant-scripted',
    model: 'claude-sonnet-4-5',
    baseUrl: '{url}/v1',
  }
  const anthropic = { settings, updatedAt: '2026-11-01T08:00:00.000Z', tokenSource: 'manual' }
  const providers = {
    version: 1,
    lastUsedProvider: 'anthropic',
    modes: {},
    providers: { anthropic },
  }
  return {
    name: `Cline ${version}`,
    agent: `cline-${version}`,
    format: 'anthropic',
    setUp: ({ home }, prompt) => ({
      files: [
        {
          path: `${home}/.cline/data/settings/providers.json`,
          text: JSON.stringify(providers, null, 2),
        },
      ],
      // Its background process would outlive the test.
      environment: { CLINE_SESSION_BACKEND_MODE: 'local' },
      args: [prompt],
    }),
  }
}
