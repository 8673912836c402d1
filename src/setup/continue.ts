import path from 'node:path'
import { stringify } from 'yaml'
import { arrayOf, type JsonObject, objectOf, parseJson } from '../core/words/json.ts'
import { type Agent, type FileChange, serverName, textOf, type UserSetup } from './agent.ts'
import type { Rerouting } from './reroute.ts'
import { parseYaml } from './yaml-edit.ts'

/** Providers whose address Continue knows by itself. */
const usual: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
}

/** Every model of its configuration has an address of its own. */
export const continueCli: Agent = {
  id: 'cn',
  name: 'Continue',
  client: 'continue',
  install: 'npm install -g @continuedev/cli',
  folder,
  run({ gateway, args, mcp, scratch, ...user }) {
    const given = configArgument(args)
    const config = given === null ? configFile(user) : path.resolve(user.cwd, given.file)
    const own = parseYaml(textOf(config), config)
    const bases = basesOf(own, gateway)
    if (bases.length === 0 || isLoggedIn(user)) return { args, env: {}, notes: notes(user, bases) }
    const models = arrayOf(own.models).map((model, at) => {
      const base = bases.find((each) => each.at === at)?.base
      return base === undefined ? model : { ...objectOf(model), apiBase: base }
    })
    const server = { name: serverName, type: 'streamable-http', url: mcp?.url }
    const headers = { requestOptions: { headers: mcp?.headers } }
    const servers = [
      ...arrayOf(own.mcpServers),
      ...(mcp === null ? [] : [{ ...server, ...headers }]),
    ]
    const file = path.join(scratch, 'config.yaml')
    return {
      args: ['--config', file, ...(given?.others ?? args)],
      env: {},
      files: [{ path: file, text: stringify({ ...own, models, mcpServers: servers }) }],
      notes: notes(user, bases),
    }
  },
  keep({ gateway, mcp, ...user }) {
    const file = configFile(user)
    const own = parseYaml(textOf(file), file)
    const bases = basesOf(own, gateway)
    if (bases.length === 0) return { changes: [], notes: notes(user, bases) }
    const addresses = bases.map(({ at, was, base }): FileChange => {
      const value = { path: ['models', at], key: 'apiBase', was, value: base }
      return { file, change: { kind: 'yaml', ...value } }
    })
    const [command, ...args] = mcp.command
    const server = { name: serverName, command, args, env: mcp.env }
    const lines = stringify({ mcpServers: [server] })
      .trimEnd()
      .split('\n')
    const isFree = own.mcpServers === undefined
    const byHand = `${file} has MCP servers already: add ${serverName} there by hand (${mcp.command.join(' ')})`
    return {
      changes: [
        ...addresses,
        ...(isFree ? [{ file, change: { kind: 'block', at: 'end', lines } } as const] : []),
      ],
      notes: [...notes(user, bases), ...(isFree ? [] : [byHand])],
    }
  },
}

function folder({ env, home }: UserSetup): string {
  return env.CONTINUE_GLOBAL_DIR || path.join(home, '.continue')
}

function configFile(user: UserSetup): string {
  return path.join(folder(user), 'config.yaml')
}

interface ModelBase {
  /** Its position in the list of models. */
  readonly at: number
  /** null without the key, and empty for a key without a value. */
  readonly was: string | null
  readonly base: string
}

/** The gateway's address for every model whose own address is known. They name Continue, because its requests do not. */
function basesOf(config: JsonObject, gateway: Rerouting): readonly ModelBase[] {
  const names = new Map<string, string>()
  return arrayOf(config.models).flatMap((model, at) => {
    const { provider, apiBase } = objectOf(model)
    const id = String(provider)
    // A key without a value is null in YAML.
    const was =
      typeof apiBase === 'string' && apiBase !== '' ? apiBase : apiBase === null ? '' : null
    const address = was || usual[id]
    // An address may be a secret of Continue's: `${{ secrets.BASE }}`.
    if (address === undefined || !URL.canParse(address)) return []
    const known = [...names].filter(([, name]) => name.startsWith(`continue-${id}`)).length
    const name =
      names.get(address) ?? (known === 0 ? `continue-${id}` : `continue-${id}-${known + 1}`)
    names.set(address, name)
    return [{ at, was, base: gateway.through(name, address) }]
  })
}

/** The file of `--config FILE`, and the arguments without it; null for none, or for a configuration of Continue's hub. */
function configArgument(
  args: readonly string[],
): { readonly file: string; readonly others: readonly string[] } | null {
  const at = args.findIndex((arg) => arg === '--config' || arg.startsWith('--config='))
  const isJoined = args[at]?.includes('=') === true
  const file = isJoined ? args[at]?.slice('--config='.length) : args[at + 1]
  if (at === -1 || file === undefined || !/^[./~]|\.(?:ya?ml|json)$/.test(file)) return null
  return { file, others: args.toSpliced(at, isJoined ? 1 : 2) }
}

/** A login remembers the file of `--config`, which would outlive the run. */
function isLoggedIn(user: UserSetup): boolean {
  const { accessToken } = objectOf(parseJson(textOf(path.join(folder(user), 'auth.json'))))
  return typeof accessToken === 'string'
}

function notes(user: UserSetup, bases: readonly ModelBase[]): readonly string[] {
  if (isLoggedIn(user))
    return [
      'Continue is logged in: models of its hub do not go through the gateway, and `run` changes nothing; `cn logout` and a config.yaml of your own do',
    ]
  return bases.length > 0
    ? []
    : [
        `Continue has no model with a known address in ${configFile(user)}: only models with an apiBase, or of anthropic, openai and gemini, go through the gateway`,
      ]
}
