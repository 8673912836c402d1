import type { Client, ClientPlace, ClientSetup, McpServer } from './client.ts'
import { newestFile } from './newest-file.ts'

/** Codex in its exec mode; it speaks the Responses API alone, and applies patches only for models that it knows. */
export function codex(version: string, model = 'gpt-5.5'): Client {
  const setUp = ({ home, mcp }: ClientPlace, ...args: readonly string[]): ClientSetup => ({
    files: [
      {
        path: `${home}/.codex/config.toml`,
        text: `model = "${model}"\n${configuration}${serverOf(mcp)}`,
      },
    ],
    environment: { SCRIPTED_API_KEY: 'scripted' },
    args: ['exec', ...args],
  })
  return {
    name: `Codex ${version}${model === 'gpt-5.5' ? '' : ` with ${model}`}`,
    agent: `codex-${version}`,
    format: 'openai-responses',
    setUp: (place, prompt) => setUp(place, prompt),
    resume: (place, prompt) => setUp(place, 'resume', '--last', prompt),
    recording: ({ home }) => newestFile(`${home}/.codex/sessions`, /rollout-[^/]*\.jsonl$/),
  }
}

const configuration = `model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.scripted]
name = "Scripted"
base_url = "{url}/v1"
env_key = "SCRIPTED_API_KEY"
wire_api = "responses"

[analytics]
enabled = false

[otel]
exporter = "none"
`

function serverOf(mcp: McpServer | undefined): string {
  if (mcp === undefined) return ''
  if (mcp.kind === 'http') return `\n[mcp_servers.palimpsest]\nurl = "${mcp.url}"\n`
  const [command, ...args] = mcp.command
  const environment = Object.entries(mcp.environment).map(([name, value]) => `${name} = "${value}"`)
  return `
[mcp_servers.palimpsest]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
startup_timeout_sec = 60

[mcp_servers.palimpsest.env]
${environment.join('\n')}
`
}
