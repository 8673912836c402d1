/** Who may call a route or a tool, and what it can access. */
export interface AccessRow {
  readonly door: 'HTTP' | 'MCP'
  /** A route of the gateway, or a tool, resource or prompt of the MCP server. */
  readonly name: string
  readonly caller: Caller
  readonly reaches: string
  /** Removes or replaces something for good, so that a person has to agree. */
  readonly needsPerson?: true
}

/**
 * `anyone`: any client that reaches the port, with its own credential for the provider. `machine or token`: on loopback,
 * programs on this machine that use the gateway's own name; on other addresses, and when a token is set, clients with the
 * token. `client`: clients that may call `/mcp`, or that started `palimpsest mcp`.
 */
type Caller = 'anyone' | 'machine or token' | 'client'

const ownItems = 'items of the own project and of the user'

/** Every own HTTP route, and every tool, resource and prompt of the MCP server. One without a row cannot be registered. */
export const accessTable: readonly AccessRow[] = [
  {
    door: 'HTTP',
    name: 'model routes',
    caller: 'anyone',
    reaches:
      'the provider, and the session of the same credential and name, that of the same name whose tool calls it sends, or that whose whole history it sends; the memory of its token, or without one that of the store where no token is set',
  },
  {
    door: 'HTTP',
    name: 'other provider routes',
    caller: 'machine or token',
    reaches: 'the provider; nothing is stored',
  },
  {
    door: 'HTTP',
    name: '/mcp',
    caller: 'machine or token',
    reaches: 'what the tool that is called reaches',
  },
  {
    door: 'HTTP',
    name: '/',
    caller: 'machine or token',
    reaches: "the dashboard's page; no content",
  },
  {
    door: 'HTTP',
    name: '/palimpsest/pages',
    caller: 'machine or token',
    reaches: "the page's script and styles; no content",
  },
  {
    door: 'HTTP',
    name: '/palimpsest/status',
    caller: 'machine or token',
    reaches: 'counts of requests; no content',
  },
  {
    door: 'HTTP',
    name: '/palimpsest/api',
    caller: 'machine or token',
    reaches:
      "every session, the memory of the store and the settings, or with a named token its own sessions and memory; changes need the dashboard's token too, or the named one",
  },
  {
    door: 'HTTP',
    name: '/healthz',
    caller: 'anyone',
    reaches: 'that the process serves; no content',
  },
  {
    door: 'HTTP',
    name: '/readyz',
    caller: 'anyone',
    reaches: 'whether requests are taken and the store answers; no content',
  },
  {
    door: 'HTTP',
    name: '/metrics',
    caller: 'machine or token',
    reaches: 'counts and times of requests; no content',
  },
  {
    door: 'HTTP',
    name: '/v1/compress',
    caller: 'machine or token',
    reaches: 'sessions that the same credential and token began here',
  },
  {
    door: 'HTTP',
    name: '/v1/retrieve',
    caller: 'machine or token',
    reaches: 'originals of sessions that the same credential and token began at /v1/compress',
  },
  {
    door: 'HTTP',
    name: '/beta/litellm_basic_guardrail_api',
    caller: 'machine or token',
    reaches: 'sessions that the same credential and token began here',
  },
  mcp('context_restore', 'originals of the own session, its forks, and sessions of the own folder'),
  mcp('context_info', 'the own session, its forks, and sessions of the own folder'),
  mcp('memory_add', `${ownItems}; adds one`),
  mcp('memory_list', ownItems),
  mcp('memory_get', ownItems),
  mcp('memory_search', `${ownItems}; messages of the own session and folder`),
  mcp('memory_history', ownItems),
  mcp('memory_log', ownItems),
  mcp('memory_observe', `${ownItems}; adds what a message of the user states`),
  mcp('memory_context', ownItems),
  mcp('memory_supersede', `${ownItems}; links two`),
  mcp('memory_retract', `${ownItems}; marks one`),
  mcp('memory_undo', `${ownItems}; takes a link or mark back`),
  mcp('memory_patterns', ownItems),
  mcp('memory_review', `${ownItems}; settles a contradiction`),
  mcp('memory_check', ownItems),
  mcp('memory_export', `${ownItems}, as text; writes no file`),
  {
    ...mcp('memory_import', `${ownItems}; adds them`),
    needsPerson: true,
  },
  {
    ...mcp('memory_forget', `${ownItems}; every copy of their words, with a person's yes`),
    needsPerson: true,
  },
  mcp('palimpsest://memory/context', ownItems),
  mcp('with_memory', ownItems),
]

function mcp(name: string, reaches: string): AccessRow {
  return { door: 'MCP', name, caller: 'client', reaches }
}

/** @throws Error when the table has no row for it. */
export function accessTo(door: AccessRow['door'], name: string): AccessRow {
  const row = accessTable.find((each) => each.door === door && each.name === name)
  if (row === undefined) throw new Error(`${door} ${name} has no row in the access table`)
  return row
}
