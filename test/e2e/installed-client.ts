import { describe } from 'vitest'
import { agentCommand, agents, ripgrepFolder } from '../../scripts/agents.mjs'
import type { Client } from './client.ts'

const howToGetIt = 'skipped: not installed, get it with `npm test -- --all`'
const rg = ripgrepFolder()

/** Folders with programs that clients may need. */
export const programs: readonly string[] = rg === null ? [] : [rg]

/** True where only the newest clients are tested, as in CI. Then suites leave out runs that another run stands for. */
export const isShortRun: boolean = process.env.PALIMPSEST_TEST_CLIENTS === 'newest'

/**
 * A suite about a client; skipped, with the way to get it, where the client is not installed. Where only the newest
 * clients are to be tested, as in CI, there is no suite about an older one.
 */
export function describeClient(
  client: Pick<Client, 'agent'>,
  title: string,
  suite: (command: string) => void,
): void {
  if (isShortRun && !isNewest(client.agent)) return
  const command = agentCommand(client.agent)
  const name = command === null ? `${title} (${howToGetIt})` : title
  describe.skipIf(command === null)(name, () => suite(command ?? ''))
}

function isNewest(name: string): boolean {
  return agents.some((agent) => agent.name === name && agent.newest)
}
