import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngineMaker } from '../../src/config/engine-maker.ts'
import { openPauses } from '../../src/config/pauses.ts'
import { createDashboardApi } from '../../src/dashboard/api-route.ts'
import { settingsView } from '../../src/dashboard/settings-view.ts'
import type { Memory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/session/environment.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { countingAnswer } from '../gateway/recording-upstream.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'
import { paths, storyBodies } from '../gateway/story.ts'

export const token = 'the-dashboard-token'

/** A gateway with the dashboard's routes, before a provider that counts tokens and has a cache. */
export interface ServedDashboard {
  readonly setting: Setting
  readonly memory: Memory
  get<Value>(path: string): Promise<Value>
  post(
    path: string,
    body: object,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown }>
  /** Sends requests of the story, from one to before another. */
  send(from: number, to: number, headers?: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

export async function serveDashboard(turns = 24): Promise<ServedDashboard> {
  const home = mkdtempSync(path.join(tmpdir(), 'palimpsest-dashboard-'))
  const store = createMemoryStore()
  const config = { toolMappings: [], warnings: [] }
  const pauses = openPauses(home)
  const memory = await openMemory({ kind: 'memory' })
  const api = createDashboardApi({
    store,
    config,
    pauses,
    token,
    now: Date.now,
    maker: createEngineMaker(config),
    useMemory: async (work) => work(memory),
    status: () => ({
      version: '1',
      startedAt: 1,
      store: 'memory',
      faults: { connections: 0, internal: 0 },
      bypasses: {},
      verified: null,
    }),
    settings: () => settingsView({ config, sources: [], userFile: null, agents: [] }),
    onFault(fault) {
      throw fault
    },
  })
  const setting = await startSetting({
    store,
    pauses,
    ownRoutes: [api.route],
    onAnswered: ({ session }) => api.events.answered(session),
  })
  setting.upstream.answerWith(countingAnswer())
  const bodies = storyBodies('anthropic', { turns })
  return {
    setting,
    memory,
    async get<Value>(route: string) {
      const response = await fetch(`${setting.gateway.url}/palimpsest/api${route}`)
      const value = (await response.json()) as Value
      if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(value)}`)
      return value
    },
    async post(route, body, headers = { 'x-palimpsest-token': token }) {
      const response = await fetch(`${setting.gateway.url}/palimpsest/api${route}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      })
      return { status: response.status, body: await response.json() }
    },
    async send(from, to, headers = {}) {
      const given = {
        'x-session-id': 's',
        'x-api-key': 'k',
        'user-agent': 'claude-cli/2.1',
        ...headers,
      }
      for (const body of bodies.slice(from, to)) await setting.post(paths.anthropic, body, given)
      // Usage is written shortly after the answer.
      await new Promise((resolve) => setTimeout(resolve, 150))
    },
    async stop() {
      api.events.close()
      await setting.stop()
      rmSync(home, { recursive: true })
    },
  }
}
