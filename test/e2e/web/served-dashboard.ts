import path from 'node:path'
import { type ServedCommands, serveCommands } from '../../gateway/served-commands.ts'
import type { Serving } from '../../gateway/serving.ts'
import { post } from '../../gateway/setting.ts'
import { paths } from '../../gateway/story.ts'
import { projectRoot } from '../../model/project-root.ts'

/** `palimpsest serve` with its dashboard, before a provider that keeps what arrives. */
export interface ServedDashboard {
  readonly served: ServedCommands
  readonly serving: Serving
  readonly url: string
  /** The address that allows changes. */
  readonly address: string
  /** Sends a request of a session as its agent would. */
  send(session: string, body: string): Promise<void>
  /** The last request that reached the provider. */
  lastSent(): string
  stop(): Promise<void>
}

export const sample: string = path.join(projectRoot, 'examples', 'sample-session.json')

export async function serveDashboard(...args: readonly string[]): Promise<ServedDashboard> {
  const served = await serveCommands()
  const serving = await served.start('store.db', { args })
  const { url } = serving
  const address = await addressIn(serving)
  return {
    served,
    serving,
    url,
    address,
    async send(session, body) {
      const headers = { 'x-session-id': session, 'x-api-key': 'k' }
      const { status } = await post(`${url}${paths.anthropic}`, body, headers)
      if (status !== 200) throw new Error(`the gateway answered ${status}`)
    },
    lastSent: () => String(served.upstream.received.at(-1)?.body),
    stop: () => served.stop(),
  }
}

/** The address is printed a moment after the line that says that it listens. */
async function addressIn(serving: Serving): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const found = /^dashboard: (\S+)$/m.exec(serving.output)?.[1]
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`serve printed no address of the dashboard: ${serving.output}`)
}
