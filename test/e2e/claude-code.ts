import type { Client, ClientPlace, ClientSetup, McpServer } from './client.ts'
import { newestFile } from './newest-file.ts'

const allowedTools = 'Read,Edit,Write,Bash,Grep,Glob,TaskCreate,TaskUpdate,TodoWrite'

/** Claude Code in its print mode. Without a model it takes its default, whose conversations hold system messages. */
export function claudeCode(version: string, model?: string): Client {
  const setUp = ({ mcp }: ClientPlace, ...args: readonly string[]): ClientSetup => ({
    files: [],
    environment: {
      ANTHROPIC_BASE_URL: '{url}',
      ANTHROPIC_API_KEY: 'sk-ant-scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    args: [
      ...args,
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      mcp === undefined ? allowedTools : `${allowedTools},ToolSearch,mcp__palimpsest`,
      ...(model === undefined ? [] : ['--model', model]),
      ...(mcp === undefined ? [] : ['--strict-mcp-config', '--mcp-config', serversOf(mcp)]),
    ],
  })
  return {
    name: `Claude Code ${version}${model === undefined ? '' : ` with ${model}`}`,
    agent: `claude-code-${version}`,
    format: 'anthropic',
    setUp: (place, prompt) => setUp(place, '-p', prompt),
    resume: (place, prompt) => setUp(place, '--continue', '-p', prompt),
    recording: ({ home }) =>
      newestFile(`${home}/.claude/projects`, /projects\/[^/]+\/[^/]+\.jsonl$/),
  }
}

function serversOf(mcp: McpServer): string {
  if (mcp.kind === 'http')
    return JSON.stringify({ mcpServers: { palimpsest: { type: 'http', url: mcp.url } } })
  const [command, ...args] = mcp.command
  const server = { type: 'stdio', command, args, env: mcp.environment }
  return JSON.stringify({ mcpServers: { palimpsest: server } })
}
