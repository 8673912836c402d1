import { providers } from '../formats/index.ts'
import type { Upstreams } from '../gateway/index.ts'
import type { StoreLocation } from '../store/index.ts'

export interface ServingParts {
  readonly url: string
  readonly token: string | null
  readonly location: StoreLocation
  /** Recorded sessions that were put into the store. */
  readonly loaded: readonly string[]
  /** Upstreams that somebody named. */
  readonly named: Readonly<Record<string, string>>
  readonly upstreams: Upstreams
}

/** What a person reads once the gateway listens; the first line is for programs too. */
export function servingLines(parts: ServingParts): readonly string[] {
  const { url, token, location, loaded } = parts
  return [
    `listening on ${url}`,
    ...(token === null ? [] : [`token for everything but the models: ${token}`]),
    `sessions are kept in ${placeOf(location)}`,
    ...loaded.map((session) => `a recorded one is there to look at: ${session}`),
    ...whereItGoes(parts),
    '',
    ...howToPoint(url),
    '',
    'and, for originals and memory as its tools:',
    `  Claude Code   claude mcp add --transport http palimpsest ${url}/mcp`,
    `  Codex         codex mcp add palimpsest --url ${url}/mcp`,
    `  OpenCode      opencode.json: {"mcp":{"palimpsest":{"type":"remote","url":"${url}/mcp"}}}`,
    '',
    'Ctrl-C ends it.',
  ]
}

/** The same for programs. */
export function servingJson({ url, token, location, loaded, upstreams }: ServingParts): string {
  const addresses = [...upstreams].map(([name, address]) => [name, address.href])
  const store = placeOf(location)
  return JSON.stringify({ url, token, store, loaded, upstreams: Object.fromEntries(addresses) })
}

/** A database's address may hold a password. */
function placeOf(location: StoreLocation): string {
  switch (location.kind) {
    case 'memory':
      return 'memory, until it ends'
    case 'sqlite':
      return location.path
    case 'postgres':
      return location.url.replace(/\?.*$/, '').replace(/\/\/.*@/, '//')
  }
}

/** A file in the project may name other upstreams, which get the user's credentials: so it is said. */
function whereItGoes({ upstreams, named }: ServingParts): readonly string[] {
  return Object.keys(named).map((name) => {
    const key = name.toLowerCase()
    const isProvider = providers.some((provider) => provider.name === key)
    return `requests ${isProvider ? `for ${key}` : `below /${key}`} go to ${upstreams.get(key)?.href}`
  })
}

/** One variable or one line for each agent. */
function howToPoint(url: string): readonly string[] {
  return [
    'point your agent at it:',
    `  Claude Code   ANTHROPIC_BASE_URL=${url} claude`,
    `  Codex         codex -c model_providers.palimpsest='{name="palimpsest",base_url="${url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}' -c model_provider=palimpsest`,
    `  OpenCode      opencode.json: {"provider":{"anthropic":{"options":{"baseURL":"${url}/v1"}}}}`,
    `  Pi            ~/.pi/agent/models.json: {"providers":{"anthropic":{"baseUrl":"${url}"}}}`,
    `  any SDK       ANTHROPIC_BASE_URL=${url}   OPENAI_BASE_URL=${url}/v1   GOOGLE_GEMINI_BASE_URL=${url}`,
  ]
}
