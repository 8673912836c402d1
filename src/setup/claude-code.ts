import path from 'node:path'
import { isJsonObject, type JsonObject, objectOf, parseJson } from '../core/words/json.ts'
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
    const given = givenSettings(args, user.cwd)
    const own = objectOf(given?.own)
    const base = gateway.through('claude', addressIn(own) ?? addressNow(user))
    return {
      env: { [variable]: base },
      args: [
        // Not `--mcp-config VALUE`, which would take the prompt behind it for another value.
        ...(mcp === null ? [] : [`--mcp-config=${JSON.stringify(serversWith(mcp))}`]),
        // Claude Code reports settings that it cannot read.
        ...(given?.own === null ? args : [settings(own, base), ...(given?.rest ?? args)]),
      ],
      notes: [...otherProvider(user), ...projectNotes(user)],
    }
  },
  keep({ gateway, mcp, ...user }) {
    const [command, ...args] = mcp.command
    return {
      changes: [
        jsonChange(settingsFile(user), [
          { path: ['env', variable], value: gateway.through('claude', addressNow(user)) },
        ]),
        jsonChange(stateFile(user), [
          {
            path: [serversKey, serverName],
            value: { type: 'stdio', command, args, ...(hasAny(mcp.env) ? { env: mcp.env } : {}) },
          },
        ]),
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

/**
 * Reports addresses that the project's own settings name. They are ignored, because a repository must not decide where keys
 * go before Claude Code has asked whether to trust it.
 */
function projectNotes(user: UserSetup): readonly string[] {
  const files = ['settings.local.json', 'settings.json']
    .map((name) => path.join(user.cwd, '.claude', name))
    // In the home folder, the project's settings are the user's own.
    .filter((file) => file !== settingsFile(user))
  return files.flatMap((file) => {
    const address = settingIn(file, ['env', variable])
    return address === undefined
      ? []
      : [
          `${file} sets ${variable}, which this run does not use; to send requests there: palimpsest run --upstream anthropic=${address} claude`,
        ]
  })
}

function addressIn(settings: JsonObject): string | undefined {
  const { [variable]: address } = objectOf(settings.env)
  return typeof address === 'string' && address !== '' ? address : undefined
}

interface GivenSettings {
  /** null for settings that cannot be read. */
  readonly own: JsonObject | null
  /** The arguments without them. */
  readonly rest: readonly string[]
}

/** The user's own `--settings`; null when there are none. */
function givenSettings(args: readonly string[], cwd: string): GivenSettings | null {
  const end = args.indexOf('--')
  const at = args.findIndex(
    (arg, index) => (end === -1 || index < end) && /^--settings(=|$)/.test(arg),
  )
  const found = args[at]
  if (found === undefined) return null
  const isSeparate = found === '--settings'
  const given = isSeparate ? (args[at + 1] ?? '') : found.slice('--settings='.length)
  const inline = parseJson(given)
  const own = parseJson(isJsonObject(inline) ? given : textOf(path.resolve(cwd, given)))
  return { own: isJsonObject(own) ? own : null, rest: args.toSpliced(at, isSeparate ? 2 : 1) }
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
