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
  /** Milliseconds until the plugin was loaded. */
  readonly startMs: number
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
      ...timesIn(readFileSync(times, 'utf8')),
    })
    session.remove()
    rmSync(scratch, { recursive: true, force: true })
  }
  return rows
}

function timesIn(text: string): Pick<PeerRow, 'startMs' | 'hookMs'> {
  const sums = { startMs: 0, hookMs: 0 }
  for (const line of text.split('\n')) {
    const [name, ms] = line.split(' ')
    sums[name === 'start' ? 'startMs' : 'hookMs'] += Number(ms ?? 0)
  }
  return sums
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

/**
 * A plugin around a plugin that writes down how long the host waited: until it was loaded (`start`), and for each of its hooks.
 * A hook that answers at once counts until it has answered; what the host does before it goes on is the host's. Nobody waits for
 * what a plugin does with events.
 */
function timedPlugin(folder: string, entry: string, times: string): string {
  const file = path.join(folder, 'timed.js')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs'
export const timed = async (context, options) => {
  const note = (name, start) =>
    appendFileSync(${JSON.stringify(times)}, name + ' ' + (performance.now() - start) + '\\n')
  const begun = performance.now()
  const module = await import(${JSON.stringify(entry)})
  const hooks = await (module.default?.server ?? module.default)(context, options)
  note('start', begun)
  const wrapped = Object.entries(hooks).map(([name, hook]) => {
    if (typeof hook !== 'function' || name === 'event' || name === 'dispose') return [name, hook]
    return [name, (...args) => {
      const start = performance.now()
      const result = hook(...args)
      if (!(result instanceof Promise)) note(name, start)
      else result.then(() => note(name, start), () => note(name, start))
      return result
    }]
  })
  return Object.fromEntries(wrapped)
}
`,
  )
  return `file://${file}`
}

/** What the hooks of one contestant take behind a session: on the clock, and of the processor. */
export interface HookTime {
  readonly wallMs: number
  readonly processorMs: number
}

export interface HookTimes {
  /** Tool calls of the session. */
  readonly calls: number
  readonly palimpsest: HookTime
  readonly dcp: HookTime
}

/** What the hooks take behind sessions of these sizes: the first request of a process, and one more turn. */
export async function compareHooks(sizes: readonly number[]): Promise<readonly HookTimes[]> {
  const installed = installDcp(path.join(projectRoot, '.cache', 'speed', 'dcp-3.1.14'))
  const before = { ...process.env }
  Object.assign(process.env, installed.environment)
  try {
    return await timesBehind(sizes, await dcp(installed.entry))
  } finally {
    // Other suites run in this process too.
    for (const name of Object.keys(installed.environment)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
}

async function timesBehind(sizes: readonly number[], peer: Pruner): Promise<readonly HookTimes[]> {
  const times: HookTimes[] = []
  // What is loaded and compiled once is not a matter of the session.
  for (const pruner of [ours, peer]) await hookTime(pruner, 3)
  for (const calls of sizes) {
    times.push({
      calls,
      palimpsest: await hookTime(ours, calls),
      dcp: await hookTime(peer, calls),
    })
  }
  return times
}

async function hookTime(pruner: Pruner, calls: number): Promise<HookTime> {
  const session = createGrowingSession()
  session.grow(calls)
  const opened = await pruner.open(sessionId)
  const sums = { wallMs: 0, processorMs: 0 }
  for (let turn = 0; turn < 2; turn++) {
    const list = JSON.parse(session.json()) as unknown[]
    const start = performance.now()
    sums.processorMs += await processorMs(() => opened.beforeRequest(list))
    sums.wallMs += performance.now() - start
    session.grow(1)
  }
  return sums
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
export function peerLines(
  rows: readonly PeerRow[],
  times: readonly HookTimes[],
): readonly string[] {
  const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const ms = (value: number): string => `${value.toFixed(0)} ms`
  const both = ({ wallMs, processorMs: processor }: HookTime): string =>
    `${ms(wallMs)} (${ms(processor)})`
  const of = (name: Contestant): number => rows.find((each) => each.name === name)?.hookMs ?? 0
  return [
    row('plugin', 'requests', 'tokens of the last', 'smallest shared prefix', 'start', 'in hooks'),
    '|---|---|---|---|---|---|',
    ...rows.map(({ name, requests, lastTokens, sharedPrefix, startMs, hookMs }) => {
      const share = `${(sharedPrefix * 100).toFixed(1)} %`
      return row(name, `${requests}`, `${lastTokens}`, share, ms(startMs), ms(hookMs))
    }),
    '',
    row('tool calls', 'Palimpsest, two requests (processor)', 'DCP, two requests', 'share'),
    '|---|---|---|---|',
    ...times.map(({ calls, palimpsest, dcp: other }) => {
      const share = (palimpsest.wallMs / other.wallMs).toFixed(3)
      return row(`${calls}`, both(palimpsest), both(other), share)
    }),
    '',
    `In OpenCode, the hooks of Palimpsest take ${(of('Palimpsest') / of('DCP')).toFixed(3)} of the time of DCP's.`,
  ]
}
