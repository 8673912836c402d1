import { existsSync } from 'node:fs'
import path from 'node:path'
import { isJsonObject, type JsonObject, objectOf, parseJson } from '../core/words/json.ts'
import { type Agent, serverName, textOf, type UserSetup } from './agent.ts'
import { jsonAt } from './json-edit.ts'
import { jsonChange, namesIn } from './json-settings.ts'
import type { Rerouting } from './reroute.ts'

/** Providers that OpenCode knows by itself, with the variables of their keys and the end of their address. */
const builtIn: Readonly<
  Record<string, { readonly keys: readonly string[]; readonly path: string }>
> = {
  anthropic: { keys: ['ANTHROPIC_API_KEY'], path: '/v1' },
  openai: { keys: ['OPENAI_API_KEY'], path: '/v1' },
  google: {
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    path: '/v1beta',
  },
}

/** Replaces the address of every provider that the user has set up, and adds none. */
export const openCode: Agent = {
  id: 'opencode',
  name: 'OpenCode',
  client: 'opencode',
  install: 'npm install -g opencode-ai',
  folder,
  run({ gateway, args, mcp, ...user }) {
    const bases = basesOf([...configFiles(user), ...projectFiles(user)], user, gateway)
    const own = objectOf(parseJson(user.env.OPENCODE_CONFIG_CONTENT ?? ''))
    const content = merged(own, {
      provider: Object.fromEntries(bases.map(([id, base]) => [id, { options: { baseURL: base } }])),
      ...(mcp === null ? {} : { mcp: { [serverName]: { type: 'remote', enabled: true, ...mcp } } }),
    })
    return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(content) }, args, notes: notes(bases) }
  },
  keep({ gateway, mcp, ...user }) {
    const files = configFiles(user)
    const file =
      files.findLast((each) => existsSync(each)) ?? path.join(folder(user), 'opencode.json')
    const bases = basesOf(files, user, gateway)
    const values = bases.map(([id, value]) => ({
      path: ['provider', id, 'options', 'baseURL'],
      value,
    }))
    const server = {
      type: 'local',
      command: mcp.command,
      enabled: true,
      ...(Object.keys(mcp.env).length === 0 ? {} : { environment: mcp.env }),
    }
    const changes = [jsonChange(file, [...values, { path: ['mcp', serverName], value: server }])]
    return { changes: bases.length === 0 ? [] : changes, notes: notes(bases) }
  },
}

function folder({ env, home }: UserSetup): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'opencode')
}

/** A later one overrides an earlier one. */
function configFiles(user: UserSetup): readonly string[] {
  const named = ['config.json', 'opencode.json', 'opencode.jsonc'].map((name) =>
    path.join(folder(user), name),
  )
  const { OPENCODE_CONFIG: chosen } = user.env
  return chosen === undefined || chosen === '' ? named : [...named, path.resolve(user.cwd, chosen)]
}

function projectFiles({ cwd }: UserSetup): readonly string[] {
  const folders = [cwd]
  for (let at = cwd; path.dirname(at) !== at; at = path.dirname(at))
    folders.unshift(path.dirname(at))
  return folders.flatMap((each) =>
    ['opencode.json', 'opencode.jsonc'].map((name) => path.join(each, name)),
  )
}

/** The gateway's address for every provider that has a key, a login, or an address of its own. */
function basesOf(
  files: readonly string[],
  user: UserSetup,
  gateway: Rerouting,
): readonly (readonly [id: string, base: string])[] {
  const data = user.env.XDG_DATA_HOME || path.join(user.home, '.local', 'share')
  const logins = namesIn(path.join(data, 'opencode', 'auth.json'), [])
  const configured = files.flatMap((file) => namesIn(file, ['provider']))
  const withKey = Object.entries(builtIn)
    .filter(([, { keys }]) => keys.some((key) => user.env[key]))
    .map(([id]) => id)
  return [...new Set([...withKey, ...logins, ...configured])].flatMap((id) => {
    const set = files
      .map((file) => jsonAt(textOf(file), ['provider', id, 'options', 'baseURL']))
      .findLast((value) => typeof value === 'string' && value !== '')
    const known = builtIn[id]
    if (set === undefined && known === undefined) return []
    const address = typeof set === 'string' ? set : undefined
    return [[id, gateway.through(`opencode-${id}`, address, known?.path ?? '')] as const]
  })
}

function notes(bases: readonly unknown[]): readonly string[] {
  return bases.length > 0
    ? []
    : [
        'no provider of OpenCode can be pointed at the gateway: there is no key or login for anthropic, openai or google, and no provider with a baseURL',
      ]
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const result: Record<string, unknown> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const before = result[key]
    result[key] = isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value
  }
  return result
}
