import type { Client, ClientPlace, ClientSetup } from './client.ts'

const providers = {
  anthropic: { auth: 'anthropic', path: '', model: 'claude-sonnet-4-5', prefix: 'ANTHROPIC' },
  'openai-chat': { auth: 'openai', path: '/v1', model: 'qwen3-coder-plus', prefix: 'OPENAI' },
} as const

/** Qwen Code in its prompt mode. */
export function qwenCode(version: string, format: keyof typeof providers): Client {
  const { auth, path, model, prefix } = providers[format]
  const settings = {
    security: { auth: { selectedType: auth } },
    model: { name: model },
    general: { enableAutoUpdate: false, disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    // It would send requests of its own, at moments of its own.
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  }
  const setUp = ({ home }: ClientPlace, ...args: readonly string[]): ClientSetup => ({
    files: [{ path: `${home}/.qwen/settings.json`, text: JSON.stringify(settings) }],
    environment: {
      [`${prefix}_BASE_URL`]: `{url}${path}`,
      [`${prefix}_API_KEY`]: 'scripted',
      [`${prefix}_MODEL`]: model,
    },
    args: ['-y', '--auth-type', auth, '-m', model, ...args],
  })
  return {
    name: `Qwen Code ${version} over ${format}`,
    agent: `qwen-code-${version}`,
    format,
    setUp: (place, prompt) => setUp(place, '-p', prompt),
    resume: (place, prompt) => setUp(place, '-c', '-p', prompt),
  }
}
