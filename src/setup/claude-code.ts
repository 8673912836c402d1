import path from 'node:path'
import { isJsonObject, objectOf, parseJson } from '../core/words/json.ts'
import { type Agent, serverName, serversKey, textOf, type UserSetup } from './agent.ts'
import { jsonChange, settingIn } from './json-settings.ts'

const variable = 'ANTHROPIC_BASE_URL'

/** Its settings win over the environment, and `--settings` wins over both. */
export const claudeCode: Agent = {
  id: 'claude',
  name: 'Claude Code',
  client: 'claude-code',
  install: 'npm install -g @anthropic-ai/claude-code',
  folder,
  run({ gateway, args, mcp, ...user }) {
    const base = gateway.through('claude', addressNow(user))
    const given = withSettings(args, base, user.cwd)
    return {
      env: { [variable]: base },
      args: [
        // Not `--mcp-config VALUE`, which would take the prompt behind it for another value.
        ...(mcp === null ? [] : [`--mcp-config=${JSON.stringify(serversWith(mcp))}`]),
        ...given,
      ],
      notes: otherProvider(user),
    }
  },
  keep({ gateway, mcp, ...user }) {
    const [command, ...args] = mcp.command
    return {
      changes: [
        jsonChange(settingsFile(user), [
          { path: ['env', variable], value: gateway.through('claude', addressNow(user)) },
        ]),
        jsonChange(
          stateFile(user),
          [
            {
              path: [serversKey, serverName],
              value: { type: 'stdio', command, args, ...(hasAny(mcp.env) ? { env: mcp.env } : {}) },
            },
          ],
          true,
        ),
      ],
      notes: otherProvider(user),
    }
  },
}

function hasAny(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).length > 0
}

function folder({ env, home }: UserSetup): string {
  return env.CLAUDE_CONFIG_DIR || path.join(home, '.claude')
}

export function settingsFile(user: UserSetup): string {
  return path.join(folder(user), 'settings.json')
}

/** Claude Code keeps the user's MCP servers beside its own state. */
function stateFile({ env, home }: UserSetup): string {
  return path.join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')
}

function addressNow(user: UserSetup): string | undefined {
  return settingIn(settingsFile(user), ['env', variable]) ?? user.env[variable]
}

function serversWith(server: { readonly url: string; readonly headers: object }): object {
  return { [serversKey]: { [serverName]: { type: 'http', ...server } } }
}

/** The user's own `--settings` with our address in it, or ours alone. */
function withSettings(args: readonly string[], base: string, cwd: string): readonly string[] {
  const end = args.indexOf('--')
  const at = args.findIndex(
    (arg, index) => (end === -1 || index < end) && /^--settings(=|$)/.test(arg),
  )
  const found = args[at]
  if (found === undefined) return [settings({}, base), ...args]
  const isSeparate = found === '--settings'
  const given = isSeparate ? (args[at + 1] ?? '') : found.slice('--settings='.length)
  const inline = parseJson(given)
  const text = isJsonObject(inline) ? given : textOf(path.resolve(cwd, given))
  const rest = args.toSpliced(at, isSeparate ? 2 : 1)
  const own = parseJson(text)
  // Claude Code reports settings that it cannot read.
  return isJsonObject(own) ? [settings(own, base), ...rest] : args
}

function settings(own: Readonly<Record<string, unknown>>, base: string): string {
  const env = { ...objectOf(own.env), [variable]: base }
  return `--settings=${JSON.stringify({ ...own, env })}`
}

function otherProvider(user: UserSetup): readonly string[] {
  const isSet = (name: string): boolean =>
    (settingIn(settingsFile(user), ['env', name]) ?? user.env[name] ?? '') !== ''
  const named = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY']
  return named
    .filter(isSet)
    .map((name) => `${name} is set: those requests do not go through the gateway`)
}
