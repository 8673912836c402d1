import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { forgetMatching } from '../../src/memory/forget/forget-matching.ts'
import { Memory, openSqliteLog } from '../../src/memory/index.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { bundledCommand } from '../bundled-program.ts'
import { preferManager } from '../memory/prefer.ts'
import { startRecordingUpstream } from './recording-upstream.ts'
import { type Serving, serve } from './serving.ts'
import { post, type Setting, startSetting } from './setting.ts'
import { paths, type StoryOptions, storyBodies } from './story.ts'

const formats = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const
const headers = { 'x-session-id': 's', 'x-api-key': 'k' }

let folder: string
let memory: Memory
let setting: Setting | null = null
let names = 0

function open(): Memory {
  return new Memory({
    log: openSqliteLog(path.join(folder, 'memory.db')),
    now: Date.now,
    newId: (kind) => `${kind}_${++names}`,
  })
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-told-'))
  memory = open()
})

afterEach(async () => {
  await setting?.stop()
  setting = null
  memory.close()
  rmSync(folder, { recursive: true })
})

async function started(
  config: object = { memory: { inject: true } },
  store: Store = createMemoryStore(),
): Promise<Setting> {
  setting = await startSetting({ config, store, memory: { use: async (work) => work(memory) } })
  return setting
}

const prefer = (value: string): string => preferManager(memory, value)

const tools: Readonly<Record<BodyFormatName, object>> = {
  anthropic: { name: 'Read', input_schema: { type: 'object' } },
  'openai-chat': { type: 'function', function: { name: 'Read', parameters: { type: 'object' } } },
  'openai-responses': { type: 'function', name: 'Read', parameters: { type: 'object' } },
  gemini: { functionDeclarations: [{ name: 'Read' }] },
}

/** An agent's requests: without a tool, the first one could as well be for a title. */
function agentBodies(format: BodyFormatName, options?: StoryOptions): readonly string[] {
  return storyBodies(format, options).map((body) =>
    JSON.stringify({ tools: [tools[format]], ...JSON.parse(body) }),
  )
}

/** Without the brackets that close it, so that what only grows begins with it. */
const opened = (body: string): string => body.replace(/[\]}]+$/, '')

/** All the texts of a request, in their order. */
function textsOf(format: BodyFormatName, body: string): readonly string[] {
  return bodyFormats[format]
    .read(body)
    .messages.flatMap(({ items }) =>
      items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])),
    )
}

const rulesOf = (format: BodyFormatName, body: string): readonly string[] =>
  bodyFormats[format].validate(body).map(({ rule }) => rule)

async function sent(format: BodyFormatName, body: string): Promise<string> {
  const { post, upstream, faults } = setting!
  const reply = await post(paths[format], body, headers)
  expect(reply.headers['x-palimpsest']).not.toContain('bypass')
  expect(faults).toEqual([])
  return String(upstream.received.at(-1)?.body)
}

describe.each(formats)('what is remembered, told in %s', (format) => {
  it('stands before the first message and stays; changes come behind, and only add', async () => {
    prefer('npm')
    await started()
    const bodies = agentBodies(format, { turns: 12 })
    const arrived: string[] = []
    for (const [turn, body] of bodies.entries()) {
      if (turn === 5) prefer('pnpm')
      arrived.push(await sent(format, body))
      if (turn === 7) await setting!.restart()
    }
    for (const [turn, body] of arrived.entries()) {
      const told = textsOf(format, body).join('\n')
      expect(told.split('package manager: npm').length - 1).toBe(1)
      expect(told.split('package manager: pnpm (was: npm)').length - 1).toBe(turn < 5 ? 0 : 1)
      expect(rulesOf(format, body)).toEqual(rulesOf(format, bodies[turn]!))
      if (turn > 0) expect(body.startsWith(opened(arrived[turn - 1]!))).toBe(true)
    }
    expect(textsOf(format, arrived[0]!)[0]).toContain('<memory>')
    expect(textsOf(format, arrived.at(-1)!)[0]).toContain('package manager: npm')
  })

  it('is left out unless the configuration asks for it', async () => {
    prefer('npm')
    await started({})
    const [first] = agentBodies(format)
    expect(await sent(format, first!)).toBe(first)
  })
})

describe('palimpsest serve', () => {
  it('tells what its own store remembers, and the same after kill -9', async () => {
    prefer('npm')
    writeFileSync(path.join(folder, 'palimpsest.jsonc'), '{ "memory": { "inject": true } }')
    const upstream = await startRecordingUpstream()
    const command = await bundledCommand()
    const store = path.join(folder, 'memory.db')
    const start = (): Promise<Serving> =>
      serve({ command, store, home: folder, args: [], upstream: upstream.url })
    let serving = await start()
    const arrived: string[] = []
    for (const [turn, body] of agentBodies('anthropic', { turns: 5 }).entries()) {
      if (turn === 2) prefer('pnpm')
      await post(`${serving.url}${paths.anthropic}`, body, headers)
      arrived.push(String(upstream.received.at(-1)?.body))
      if (turn !== 3) continue
      await serving.end('SIGKILL')
      serving = await start()
    }
    await serving.end('SIGTERM')
    await upstream.stop()
    for (const [turn, body] of arrived.entries()) {
      expect(body).toContain('- package manager: npm')
      expect(body.includes('- package manager: pnpm (was: npm)')).toBe(turn >= 2)
      if (turn > 0) expect(body.startsWith(opened(arrived[turn - 1]!))).toBe(true)
    }
  }, 120_000)
})

describe('what a conversation is told', () => {
  const bodies = agentBodies('anthropic', { turns: 6 })

  it('keeps its budget', async () => {
    for (let count = 0; count < 40; count++)
      memory.add({ kind: 'fact', text: `fact number ${count} is worth knowing` })
    await started({ memory: { inject: true, budgetTokens: 60 } })
    const told = textsOf('anthropic', await sent('anthropic', bodies[0]!))[0]!
    expect(told.split('\n- ').length - 1).toBeGreaterThan(1)
    expect(told.split('\n- ').length - 1).toBeLessThan(8)
  })

  it('has nothing forgotten in it any more, and the rest as it was', async () => {
    prefer('npm')
    memory.add({ kind: 'fact', text: 'the garage code is 4711' })
    await started()
    expect(await sent('anthropic', bodies[0]!)).toContain('4711')
    forgetMatching(memory, { search: 'garage' })
    const after = await sent('anthropic', bodies[1]!)
    expect(after).not.toContain('4711')
    expect(after).toContain('package manager: npm')
  })

  it('is told behind the history where that began without it', async () => {
    const store = createMemoryStore()
    await started({}, store)
    const before = await sent('anthropic', bodies[3]!)
    await setting!.stop()
    prefer('npm')
    await started({ memory: { inject: true } }, store)
    const after = await sent('anthropic', bodies[4]!)
    expect(after.startsWith(opened(before))).toBe(true)
    expect(textsOf('anthropic', after).at(-1)).toContain('package manager: npm')
  })

  it('says when something no longer holds, once', async () => {
    const id = prefer('npm')
    await started()
    await sent('anthropic', bodies[0]!)
    memory.retract(id)
    for (const body of bodies.slice(1)) {
      const told = await sent('anthropic', body)
      expect(told.split('no longer: package manager: npm').length - 1).toBe(1)
    }
  })

  it('sends the same bytes for a request made again, and counts them apart', async () => {
    prefer('npm')
    await started()
    const first = await sent('anthropic', bodies[0]!)
    const third = await sent('anthropic', bodies[2]!)
    expect(await sent('anthropic', bodies[2]!)).toBe(third)
    expect(await sent('anthropic', bodies[0]!)).toBe(first)
    const reply = await setting!.post(paths.anthropic, bodies[3]!, headers)
    expect(reply.headers['x-palimpsest']).toMatch(/; memory=\d+$/)
  })
})
