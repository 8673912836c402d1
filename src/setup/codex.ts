import path from 'node:path'
import { objectOf, parseJson } from '../core/words/json.ts'
import {
  type Agent,
  type CommandServer,
  type FileChange,
  serverName,
  textOf,
  type UserSetup,
} from './agent.ts'
import type { Rerouting } from './reroute.ts'
import { parseToml } from './toml-edit.ts'

/** Where requests go after `codex login` with a ChatGPT account. */
const chatGpt = 'https://chatgpt.com/backend-api/codex'

/** Keeps the user's provider with all that is set for it, and replaces its address alone. */
export const codex: Agent = {
  id: 'codex',
  name: 'Codex',
  client: 'codex',
  install: 'npm install -g @openai/codex',
  folder,
  run({ gateway, args, mcp, ...user }) {
    const now = providerNow(user, args)
    const key = now.table === '' ? now.key : `${now.table}.${now.key}`
    const server = `mcp_servers.${serverName}`
    return {
      env: {},
      args: [
        ...config(key, baseOf(now, gateway)),
        ...(mcp === null
          ? []
          : [
              ...config(`${server}.url`, mcp.url),
              ...Object.entries(mcp.headers).flatMap(([name, value]) =>
                config(`${server}.http_headers.${name}`, value),
              ),
            ]),
        ...args,
      ],
    }
  },
  keep({ gateway, mcp, ...user }) {
    const file = configFile(user)
    const now = providerNow(user, [])
    const base = baseOf(now, gateway)
    const isWritten = now.address !== undefined && now.isInFile
    const address: FileChange = isWritten
      ? {
          file,
          change: { kind: 'toml', table: now.table, key: now.key, was: now.address, value: base },
        }
      : {
          file,
          change: { kind: 'block', at: 'start', lines: [`${now.key} = ${JSON.stringify(base)}`] },
        }
    return { changes: [address, serverChange(file, mcp)] }
  },
}

function folder({ env, home }: UserSetup): string {
  return env.CODEX_HOME || path.join(home, '.codex')
}

function configFile(user: UserSetup): string {
  return path.join(folder(user), 'config.toml')
}

interface ProviderNow {
  readonly id: string
  /** The table and key of its address. */
  readonly table: string
  readonly key: string
  readonly address: string | undefined
  readonly isInFile: boolean
}

function providerNow(user: UserSetup, args: readonly string[]): ProviderNow {
  const file = configFile(user)
  const config = parseToml(textOf(file), file)
  const profile = objectOf(objectOf(config.profiles)[String(config.profile ?? '')])
  const named =
    overridden(args, 'model_provider') ?? profile.model_provider ?? config.model_provider
  const id = typeof named === 'string' ? named : 'openai'
  const own = objectOf(objectOf(config.model_providers)[id])
  if (id !== 'openai' || typeof own.base_url === 'string') {
    const table = `model_providers.${id}`
    const given = overridden(args, `${table}.base_url`) ?? own.base_url
    const address = typeof given === 'string' ? given : undefined
    return { id, table, key: 'base_url', address, isInFile: typeof own.base_url === 'string' }
  }
  const { openai_base_url: set } = config
  const written = typeof set === 'string' ? set : undefined
  const address = written ?? (isChatGptLogin(user) ? chatGpt : undefined)
  const isInFile = written !== undefined
  return { id, table: '', key: 'openai_base_url', address, isInFile }
}

function baseOf({ id, address }: ProviderNow, gateway: Rerouting): string {
  return gateway.through(address === chatGpt ? 'chatgpt' : `codex-${id}`, address, '/v1')
}

/** The value of `-c key=value` among the arguments. */
function overridden(args: readonly string[], key: string): string | undefined {
  const values = args.flatMap((arg, at) => {
    const joined = /^(?:-c|--config=)(.+)$/s.exec(arg)?.[1]
    return ['-c', '--config'].includes(arg)
      ? [args[at + 1] ?? '']
      : joined === undefined
        ? []
        : [joined]
  })
  const found = values.findLast((value) => value.startsWith(`${key}=`))
  return found?.slice(key.length + 1).replace(/^(["'])(.*)\1$/s, '$2')
}

/** Looks at the kind of login alone; tokens are not read out. */
function isChatGptLogin(user: UserSetup): boolean {
  if (user.env.CODEX_API_KEY) return false
  const {
    OPENAI_API_KEY: key,
    auth_mode: mode,
    tokens,
  } = objectOf(parseJson(textOf(path.join(folder(user), 'auth.json'))))
  if (typeof mode === 'string') return mode.toLowerCase() === 'chatgpt'
  return typeof key !== 'string' && typeof tokens === 'object' && tokens !== null
}

function config(key: string, value: string): readonly string[] {
  return ['-c', `${key}=${JSON.stringify(value)}`]
}

function serverChange(file: string, { command, env }: CommandServer): FileChange {
  const [program = '', ...args] = command
  const pairs = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  const lines = [
    `[mcp_servers.${serverName}]`,
    `command = ${JSON.stringify(program)}`,
    `args = ${JSON.stringify(args)}`,
    ...(pairs.length === 0 ? [] : [`env = { ${pairs.join(', ')} }`]),
  ]
  return { file, change: { kind: 'block', at: 'end', lines } }
}
