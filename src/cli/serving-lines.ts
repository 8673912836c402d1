import { providers } from '../formats/index.ts'
import type { Upstreams } from '../gateway/index.ts'
import type { StoreLocation } from '../store/index.ts'

export interface ServingParts {
  readonly url: string
  readonly token: string | null
  readonly location: StoreLocation
  /** Recorded sessions that were loaded into the store. */
  readonly loaded: readonly string[]
  /** Upstreams from the command line or the configuration. */
  readonly named: Readonly<Record<string, string>>
  readonly upstreams: Upstreams
}

/** The output for people once the gateway listens. Programs may read the first line. */
export function servingLines(parts: ServingParts): readonly string[] {
  const { url, token, location, loaded } = parts
  return [
    `listening on ${url}`,
    ...(token === null ? [] : [`token for all routes but the model routes: ${token}`]),
    `sessions are stored in ${placeOf(location)}`,
    ...loaded.map((session) => `loaded the recorded session ${session}`),
    ...upstreamLines(parts),
    '',
    ...agentLines(url),
    '',
    'to give it tools for originals and memory:',
    `  Claude Code   claude mcp add --transport http palimpsest ${url}/mcp`,
    `  Codex         codex mcp add palimpsest --url ${url}/mcp`,
    `  OpenCode      opencode.json: {"mcp":{"palimpsest":{"type":"remote","url":"${url}/mcp"}}}`,
    '',
    'press Ctrl-C to stop',
  ]
}

/** The output for programs. */
export function servingJson({ url, token, location, loaded, upstreams }: ServingParts): string {
  const addresses = [...upstreams].map(([name, address]) => [name, address.href])
  const store = placeOf(location)
  return JSON.stringify({ url, token, store, loaded, upstreams: Object.fromEntries(addresses) })
}

/** Without the password that a database's address may contain. */
function placeOf(location: StoreLocation): string {
  switch (location.kind) {
    case 'memory':
      return 'memory, until the gateway stops'
    case 'sqlite':
      return location.path
    case 'postgres':
      return location.url.replace(/\?.*$/, '').replace(/\/\/.*@/, '//')
  }
}

/** Shown because a configuration file may name other upstreams, which receive the user's credentials. */
function upstreamLines({ upstreams, named }: ServingParts): readonly string[] {
  return Object.keys(named).map((name) => {
    const key = name.toLowerCase()
    const isProvider = providers.some((provider) => provider.name === key)
    return `requests ${isProvider ? `for ${key}` : `below /${key}`} go to ${upstreams.get(key)?.href}`
  })
}

function agentLines(url: string): readonly string[] {
  return [
    'point your agent at it:',
    `  Claude Code   ANTHROPIC_BASE_URL=${url} claude`,
    `  Codex         codex -c model_providers.palimpsest='{name="palimpsest",base_url="${url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}' -c model_provider=palimpsest`,
    `  OpenCode      opencode.json: {"provider":{"anthropic":{"options":{"baseURL":"${url}/v1"}}}}`,
    `  Pi            ~/.pi/agent/models.json: {"providers":{"anthropic":{"baseUrl":"${url}"}}}`,
    `  any SDK       ANTHROPIC_BASE_URL=${url}   OPENAI_BASE_URL=${url}/v1   GOOGLE_GEMINI_BASE_URL=${url}`,
  ]
}
