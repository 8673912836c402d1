import type { Client } from './client.ts'

/** Continue in its print mode, with a key of Anthropic. */
export function continueCli(version: string): Client {
  const config = [
    'name: My models',
    'version: 1.0.0',
    'schema: v1',
    'models:',
    '  # The model that I use most.',
    '  - name: Sonnet',
    '    provider: anthropic',
    '    model: claude-sonnet-4-5',
    '    apiKey: sk-ant-scripted',
    '    apiBase: {url}/v1 # at the office',
    '    roles: [chat]',
    '',
  ]
  return {
    name: `Continue ${version}`,
    agent: `continue-${version}`,
    format: 'anthropic',
    setUp: ({ home }, prompt) => ({
      files: [{ path: `${home}/.continue/config.yaml`, text: config.join('\n') }],
      environment: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_CLI_DISABLE_COMMIT_SIGNATURE: '1' },
      args: ['--auto', '-p', prompt],
    }),
  }
}
