import { withoutSecrets } from '../core/words/secrets.ts'
import type { AgentSetup } from '../dashboard/types.ts'
import { providers } from '../formats/index.ts'
import type { Upstreams } from '../gateway/index.ts'
import type { StoreLocation } from '../store/index.ts'

export interface ServingParts {
  readonly url: string
  readonly token: string | null
  /** Lets the dashboard change things. */
  readonly dashboardToken: string
  readonly location: StoreLocation
  /** Whether only a person at the terminal sees the lines. */
  readonly isPrivate: boolean
  /** Recorded sessions that were loaded into the store. */
  readonly loaded: readonly string[]
  /** Upstreams from the command line or the configuration. */
  readonly named: Readonly<Record<string, string>>
  readonly upstreams: Upstreams
}

/** The output for people once the gateway listens. Programs may read the first line. */
export function servingLines(parts: ServingParts): readonly string[] {
  const { url, token, dashboardToken, location, loaded, isPrivate } = parts
  // Logs of services must not hold the token that their operator gave.
  const shown = token === null || isPrivate ? dashboardToken : 'TOKEN'
  return [
    `listening on ${url}`,
    ...(token === null
      ? []
      : [
          `token for all routes but the model routes: ${isPrivate ? token : 'the one that was given'}`,
        ]),
    `sessions are stored in ${placeOf(location)}`,
    ...loaded.map((session) => `loaded the recorded session ${session} (see it in the dashboard)`),
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
    '',
    `dashboard: ${dashboardAddress(url, shown, { isRequired: token !== null })}`,
  ]
}

/**
 * The address that opens the dashboard with the right to change things. What follows `#` is never sent to a server; the
 * query is needed only where the gateway requires a token for everything.
 */
function dashboardAddress(
  url: string,
  token: string,
  { isRequired }: { readonly isRequired: boolean },
): string {
  const shown = encodeURIComponent(token)
  return `${url}/${isRequired ? `?palimpsest-token=${shown}` : ''}#token=${shown}`
}

/** The output for programs. */
export function servingJson(parts: ServingParts): string {
  const { url, token, dashboardToken, location, loaded, upstreams } = parts
  const addresses = [...upstreams].map(([name, address]) => [name, withoutSecrets(address.href)])
  const store = placeOf(location)
  const named = Object.fromEntries(addresses)
  return JSON.stringify({ url, token, dashboardToken, store, loaded, upstreams: named })
}

/** Without the password that a database's address may contain. */
export function placeOf(location: StoreLocation): string {
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
    return `requests ${isProvider ? `for ${key}` : `below /${key}`} go to ${withoutSecrets(upstreams.get(key)?.href ?? '')}`
  })
}

/** How each agent is pointed at the gateway: where the lines go, and the lines. */
export function agentSetups(url: string): readonly AgentSetup[] {
  return [
    {
      agent: 'Claude Code',
      where: 'shell',
      lines: [`ANTHROPIC_BASE_URL=${url} claude`],
    },
    {
      agent: 'Codex',
      where: 'shell',
      lines: [
        `codex -c model_providers.palimpsest='{name="palimpsest",base_url="${url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}' -c model_provider=palimpsest`,
      ],
    },
    {
      agent: 'OpenCode',
      where: 'opencode.json',
      lines: [`{"provider":{"anthropic":{"options":{"baseURL":"${url}/v1"}}}}`],
    },
    {
      agent: 'Pi',
      where: '~/.pi/agent/models.json',
      lines: [`{"providers":{"anthropic":{"baseUrl":"${url}"}}}`],
    },
    {
      agent: 'any SDK',
      where: 'shell',
      lines: [
        `ANTHROPIC_BASE_URL=${url}`,
        `OPENAI_BASE_URL=${url}/v1`,
        `GOOGLE_GEMINI_BASE_URL=${url}`,
      ],
    },
  ]
}

function agentLines(url: string): readonly string[] {
  const lines = agentSetups(url).map(({ agent, where, lines: each }) => {
    const place = where === 'shell' ? '' : `${where}: `
    return `  ${agent.padEnd(12)}  ${place}${each.join('   ')}`
  })
  return ['point your agent at it:', ...lines]
}
