import type { JsonObject } from '../../src/core/words/json.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import type { Client, ClientPlace, ClientSetup, McpServer } from './client.ts'
import { exportNewestSession } from './export-session.ts'
import { cleanEnvironment } from './session.ts'

interface Provider {
  readonly id: string
  readonly package: string
  readonly model: string
  readonly small: string
  readonly options: JsonObject
}

const providers: Readonly<Record<Exclude<BodyFormatName, 'gemini'>, Provider>> = {
  anthropic: {
    id: 'anthropic',
    package: '@ai-sdk/anthropic',
    model: 'claude-sonnet-4-5',
    small: 'claude-haiku-4-5',
    options: { thinking: { type: 'enabled', budgetTokens: 2_000 } },
  },
  'openai-chat': {
    id: 'scripted',
    package: '@ai-sdk/openai-compatible',
    model: 'scripted-model',
    small: 'scripted-small',
    options: {},
  },
  'openai-responses': {
    id: 'openai',
    package: '@ai-sdk/openai',
    model: 'gpt-5.1',
    small: 'gpt-5-mini',
    options: { reasoningEffort: 'medium', reasoningSummary: 'auto' },
  },
}

/**
 * OpenCode in its run mode; all three providers are inside its binary. Half of its time goes into snapshots of the
 * project, so that they are made only where somebody looks at them.
 */
export function openCode(
  version: string,
  format: Exclude<BodyFormatName, 'gemini'>,
  options: { readonly snapshots: boolean; readonly model?: string } = { snapshots: false },
): Client {
  const { model } = options
  const setUp = ({ home, mcp }: ClientPlace, ...args: readonly string[]): ClientSetup => ({
    files: [
      {
        path: `${home}/.config/opencode/opencode.json`,
        text: JSON.stringify({
          ...configuration(format, model),
          ...(mcp === undefined ? {} : { mcp: { palimpsest: serverOf(mcp) } }),
          snapshot: options.snapshots,
        }),
      },
    ],
    environment: openCodeEnvironment,
    args: ['run', ...args],
  })
  return {
    name: `OpenCode ${version} over ${format}${model === undefined ? '' : ` with ${model}`}`,
    agent: `opencode-${version}`,
    format,
    setUp: (place, prompt) => setUp(place, prompt),
    resume: (place, prompt) => setUp(place, '-c', prompt),
    recording: (place) =>
      exportNewestSession(place, { ...cleanEnvironment(place.home, []), ...openCodeEnvironment }),
  }
}

/** Everything that OpenCode would fetch by itself is switched off. */
const openCodeEnvironment: Readonly<Record<string, string>> = {
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
}

function configuration(
  format: Exclude<BodyFormatName, 'gemini'>,
  model = providers[format].model,
): JsonObject {
  const provider = { ...providers[format], model }
  const limits = { context: 200_000, output: 32_000 }
  return {
    autoupdate: false,
    share: 'disabled',
    permission: { '*': 'allow' },
    model: `${provider.id}/${provider.model}`,
    small_model: `${provider.id}/${provider.small}`,
    provider: {
      [provider.id]: {
        npm: provider.package,
        name: 'Scripted',
        options: { baseURL: '{url}/v1', apiKey: 'scripted' },
        models: {
          [provider.model]: {
            tool_call: true,
            reasoning: true,
            limit: limits,
            options: provider.options,
          },
          [provider.small]: { tool_call: true, limit: { ...limits, output: 8_192 } },
        },
      },
    },
  }
}

function serverOf(mcp: McpServer): JsonObject {
  if (mcp.kind === 'http') return { type: 'remote', url: mcp.url, enabled: true }
  return { type: 'local', command: mcp.command, environment: mcp.environment, enabled: true }
}
