import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { dcp } from '../../../bench/speed/dcp.ts'
import type { Pruner } from '../../../bench/speed/host.ts'
import { installDcp } from '../../../bench/speed/install-dcp.ts'
import { processorMs } from '../../../bench/speed/processor-time.ts'
import { createGrowingSession, sessionId } from '../../../bench/speed/session.ts'
import type { Hooks, HostClient } from '../../../src/opencode/host.ts'
import { createPlugin } from '../../../src/opencode/plugin.ts'
import { projectRoot } from '../../model/project-root.ts'
import type { ModelTurn, Scenario } from '../../model/scenario.ts'
import { longFiles, longScenario } from './long-scenario.ts'
import { bundledPlugin, serveSession } from './served-session.ts'
import { begin, say } from './steps.ts'

export const contestants = ['no plugin', 'DCP', 'DCP, compress called', 'Palimpsest'] as const

export type Contestant = (typeof contestants)[number]

/** What one contestant made of the same scenario in the real host. */
export interface PeerRow {
  readonly name: Contestant
  readonly requests: number
  /** Tokens of the last request's body. */
  readonly lastTokens: number
  /** The share of the request before that the last one repeats from its beginning on, the smallest of the session. */
  readonly sharedPrefix: number
  /** Milliseconds that the host waited for the plugin's hooks in all. */
  readonly hookMs: number
}

const steps = 50
/** The call by which DCP compresses: the first messages, half way through. */
const compress: ModelTurn = {
  operations: [
    {
      kind: 'raw',
      name: 'compress',
      input: {
        topic: 'The first rounds',
        content: [{ startId: 'm0001', endId: 'm0020', summary: 'Files were read and edited.' }],
      },
    },
  ],
}

/** The same session four times in the real OpenCode. */
export async function comparePeers(
  names: readonly Contestant[] = contestants,
): Promise<readonly PeerRow[]> {
  const installed = installDcp(path.join(projectRoot, '.cache', 'speed', 'dcp-3.1.14'))
  const rows: PeerRow[] = []
  for (const name of names) {
    const scratch = mkdtempSync(path.join(tmpdir(), 'palimpsest-peers-'))
    const times = path.join(scratch, 'times.txt')
    writeFileSync(times, '')
    const entry = name === 'Palimpsest' ? await bundledPlugin(scratch) : `file://${installed.entry}`
    const plugin = name === 'no plugin' ? null : timedPlugin(scratch, entry, times)
    const session = await serveSession({
      // Without thinking, which does not survive every one of them.
      format: 'openai-chat',
      plugin,
      files: longFiles,
      scenario: (project) => scenarioFor(name, project),
      steps: () => [begin('s'), say('s', 'Work on it.')],
    })
    const bodies = session.requests.map(({ body }) => body)
    rows.push({
      name,
      requests: bodies.length,
      lastTokens: countTokens(bodies.at(-1) ?? ''),
      sharedPrefix: Math.min(...bodies.slice(1).map((body, at) => sharedShare(bodies[at]!, body))),
      hookMs: readFileSync(times, 'utf8')
        .split('\n')
        .reduce((sum, line) => sum + Number(line), 0),
    })
    session.remove()
    rmSync(scratch, { recursive: true, force: true })
  }
  return rows
}

function scenarioFor(name: Contestant, project: string): Scenario {
  const scenario = longScenario(project, steps)
  if (name !== 'DCP, compress called') return scenario
  const half = steps / 2
  const turns = [...scenario.turns.slice(0, half), compress, ...scenario.turns.slice(half)]
  return { ...scenario, turns }
}

/** How much of a request's messages its successor begins with. Cache marks move from request to request. */
function sharedShare(before: string, after: string): number {
  const [one, other] = [before, after].map(comparable) as [string, string]
  let shared = 0
  while (shared < one.length && one[shared] === other[shared]) shared++
  return shared / one.length
}

function comparable(body: string): string {
  const { messages } = JSON.parse(body) as { messages: readonly unknown[] }
  // Without the brackets at the end, behind which the next request goes on.
  return JSON.stringify(messages)
    .replaceAll(/,"cache_control":\{[^}]*\}/g, '')
    .replace(/[\]}]+$/, '')
}

/** A plugin around a plugin that writes down how long each of its hooks took. */
function timedPlugin(folder: string, entry: string, times: string): string {
  const file = path.join(folder, 'timed.js')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs'
import * as module from ${JSON.stringify(entry)}
const server = module.default?.server ?? module.default
export const timed = async (context, options) => {
  const hooks = await server(context, options)
  const wrapped = Object.entries(hooks).map(([name, hook]) => {
    if (typeof hook !== 'function' || name === 'event' || name === 'dispose') return [name, hook]
    return [name, async (...args) => {
      const start = performance.now()
      try { return await hook(...args) } finally {
        appendFileSync(${JSON.stringify(times)}, (performance.now() - start) + '\\n')
      }
    }]
  })
  return Object.fromEntries(wrapped)
}
`,
  )
  return `file://${file}`
}

/** Processor time of one more turn at a size, in the hooks of one contestant. */
export interface HookTime {
  readonly calls: number
  readonly palimpsestMs: number
  readonly dcpMs: number
}

/** What the hooks take behind sessions of these sizes: the first request of a process, and one more turn. */
export async function compareHooks(sizes: readonly number[]): Promise<readonly HookTime[]> {
  const installed = installDcp(path.join(projectRoot, '.cache', 'speed', 'dcp-3.1.14'))
  Object.assign(process.env, installed.environment)
  const peer = await dcp(installed.entry)
  const times: HookTime[] = []
  // What is loaded and compiled once is not a matter of the session.
  for (const pruner of [ours, peer]) await hookMs(pruner, 3)
  for (const calls of sizes) {
    times.push({
      calls,
      palimpsestMs: await hookMs(ours, calls),
      dcpMs: await hookMs(peer, calls),
    })
  }
  return times
}

async function hookMs(pruner: Pruner, calls: number): Promise<number> {
  const session = createGrowingSession()
  session.grow(calls)
  const opened = await pruner.open(sessionId)
  let sum = 0
  for (let turn = 0; turn < 2; turn++) {
    const list = JSON.parse(session.json()) as unknown[]
    sum += await processorMs(() => opened.beforeRequest(list))
    session.grow(1)
  }
  return sum
}

/** The plugin itself, with a store in memory, as its hooks are called before each request. */
const ours: Pruner = {
  name: 'Palimpsest',
  async open(sessionID) {
    const answer = async (): Promise<object> => ({ data: { id: sessionID } })
    const client: HostClient = {
      session: { get: answer, messages: answer },
      config: { get: answer, providers: answer },
      tui: { showToast: answer },
      app: { log: answer },
    }
    const hooks = (await createPlugin(
      { client, directory: '/project' },
      { store: 'memory:' },
    )) as Hooks
    const model = { id: 'claude-sonnet-4-5', limit: { context: 200_000, output: 32_000 } }
    return {
      async beforeRequest(messages) {
        await hooks['experimental.chat.messages.transform']({}, { messages })
        await hooks['experimental.chat.system.transform'](
          { sessionID, model },
          { system: ['You are a coding agent.'] },
        )
      },
    }
  },
}

/** The figures as lines for a person. */
export function peerLines(rows: readonly PeerRow[], times: readonly HookTime[]): readonly string[] {
  return [
    '| plugin | requests | tokens of the last | smallest shared prefix | time in hooks |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ name, requests, lastTokens, sharedPrefix, hookMs: ms }) =>
        `| ${name} | ${requests} | ${lastTokens} | ${(sharedPrefix * 100).toFixed(1)} % | ${ms.toFixed(0)} ms |`,
    ),
    '',
    '| tool calls | Palimpsest, two requests | DCP, two requests |',
    '|---|---|---|',
    ...times.map(
      ({ calls, palimpsestMs, dcpMs }) =>
        `| ${calls} | ${palimpsestMs.toFixed(0)} ms | ${dcpMs.toFixed(0)} ms |`,
    ),
  ]
}
