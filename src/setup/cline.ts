import path from 'node:path'
import { isJsonObject, objectOf, parseJson } from '../core/words/json.ts'
import { type Agent, serverName, serversKey, textOf, type UserSetup } from './agent.ts'
import { jsonChange } from './json-settings.ts'
import { commandServer } from './mcp-servers.ts'
import type { Rerouting } from './reroute.ts'

/** Providers whose address Cline knows by itself. */
const usual: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  'openai-native': 'https://api.openai.com/v1',
}

/** Addresses stand beside the keys in one file, which a variable can replace for one run. */
export const cline: Agent = {
  id: 'cline',
  name: 'Cline',
  client: 'cline',
  install: 'npm install -g cline',
  folder,
  run({ gateway, args, mcp, scratch, ...user }) {
    const own = objectOf(parseJson(textOf(providersFile(user))))
    const bases = basesOf(user, gateway)
    const providers = Object.entries(objectOf(own.providers)).map(([id, provider]) => {
      const settings = objectOf(objectOf(provider).settings)
      const base = bases.find(([name]) => name === id)?.[1]
      const changed = { ...objectOf(provider), settings: { ...settings, baseUrl: base } }
      return [id, base === undefined ? provider : changed]
    })
    const addresses = path.join(scratch, 'providers.json')
    const servers = path.join(scratch, 'mcp-settings.json')
    const ownServers = objectOf(parseJson(textOf(serversFile(user))))
    const server = { type: 'streamableHttp', ...mcp }
    return {
      args,
      env: {
        // Its background process would outlive the run, with the run's addresses.
        CLINE_SESSION_BACKEND_MODE: user.env.CLINE_SESSION_BACKEND_MODE || 'local',
        ...(bases.length === 0 ? {} : { [variables.providers]: addresses }),
        ...(mcp === null ? {} : { [variables.servers]: servers }),
      },
      files: [
        {
          path: addresses,
          text: JSON.stringify({ ...own, providers: Object.fromEntries(providers) }),
        },
        {
          path: servers,
          text: JSON.stringify({
            ...ownServers,
            [serversKey]: { ...objectOf(ownServers[serversKey]), [serverName]: server },
          }),
        },
      ],
      notes: notes(user, bases),
    }
  },
  keep({ gateway, mcp, ...user }) {
    const bases = basesOf(user, gateway)
    if (bases.length === 0) return { changes: [], notes: notes(user, bases) }
    const values = bases.map(([id, value]) => ({
      path: ['providers', id, 'settings', 'baseUrl'],
      value,
    }))
    return {
      changes: [
        jsonChange(providersFile(user), values),
        jsonChange(serversFile(user), [
          {
            path: [serversKey, serverName],
            value: { transport: { type: 'stdio', ...commandServer(mcp).value } },
          },
        ]),
      ],
      notes: notes(user, bases),
    }
  },
}

const variables = {
  providers: 'CLINE_PROVIDER_SETTINGS_PATH',
  servers: 'CLINE_MCP_SETTINGS_PATH',
} as const

function folder({ env, home }: UserSetup): string {
  return env.CLINE_DIR || path.join(home, '.cline')
}

function settingsFolder(user: UserSetup): string {
  return path.join(user.env.CLINE_DATA_DIR || path.join(folder(user), 'data'), 'settings')
}

function providersFile(user: UserSetup): string {
  return user.env[variables.providers] || path.join(settingsFolder(user), 'providers.json')
}

function serversFile(user: UserSetup): string {
  return user.env[variables.servers] || path.join(settingsFolder(user), 'cline_mcp_settings.json')
}

/** The gateway's address for every provider whose own address is known. They name Cline, because its requests do not. */
function basesOf(
  user: UserSetup,
  gateway: Rerouting,
): readonly (readonly [id: string, base: string])[] {
  const { providers } = objectOf(parseJson(textOf(providersFile(user))))
  return Object.entries(objectOf(providers)).flatMap(([id, provider]) => {
    if (!isJsonObject(provider)) return []
    const { baseUrl } = objectOf(provider.settings)
    const address = typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : usual[id]
    return address === undefined ? [] : [[id, gateway.through(`cline-${id}`, address)] as const]
  })
}

function notes(user: UserSetup, bases: readonly (readonly [string, string])[]): readonly string[] {
  const { lastUsedProvider: used } = objectOf(parseJson(textOf(providersFile(user))))
  if (typeof used === 'string' && bases.some(([id]) => id === used)) return []
  return [
    `Cline uses ${typeof used === 'string' ? used : 'no provider yet'}: only providers with a key and an address go through the gateway (\`cline auth\`)`,
  ]
}
