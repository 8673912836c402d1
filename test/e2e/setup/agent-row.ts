import rows from './agents.json' with { type: 'json' }

/** What the tests hold of an agent. `node scripts/agents-table.mjs` makes the table of docs/agents.md of it. */
export interface AgentRow {
  readonly id: string
  /** The client in scripts/agents.mjs whose newest version is driven; null when no test of ours can drive it. */
  readonly tested: string | null
  /** Variables and flags by which `run` points it at the gateway. */
  readonly run: readonly string[]
  /** Files that `init` changes, by their path in the home folder, with what it writes there. */
  readonly init: Readonly<Record<string, readonly string[]>>
  /** Whether the model is offered our MCP tools. `run`: seen there alone, although `init` sets the server up. */
  readonly tools: boolean | 'run'
  /** What does not go through the gateway. */
  readonly around: string
}

export const agentRows: readonly AgentRow[] = rows as unknown as readonly AgentRow[]

export function agentRow(id: string): AgentRow {
  const found = agentRows.find((row) => row.id === id)
  if (found === undefined) throw new Error(`agents.json has no row for ${id}`)
  return found
}
