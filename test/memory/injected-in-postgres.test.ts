import { beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { openPostgresLog } from '../../src/memory/log/postgres-log.ts'
import { Memory } from '../../src/memory/memory.ts'
import { createMemoryMessages } from '../../src/opencode/memory-messages.ts'
import { memoryMiddleware } from '../../src/sdk/index.ts'
import { createResource } from '../../src/session/resource.ts'
import { type HostedMessage, saidIn } from '../agent/hosted.ts'
import { startSetting } from '../gateway/setting.ts'
import { type PostgresServer, sharedPostgres } from '../store/postgres.ts'

/** A door of one process: gives what the model is shown of a conversation whose user has said something so many times. */
interface Door {
  shown(session: string, turns: number): Promise<readonly string[]>
  close(): Promise<void>
}

let server: PostgresServer
let names = 0

async function open(url: string): Promise<Memory> {
  const log = await openPostgresLog(url)
  return new Memory({ log, now: Date.now, newId: (kind) => `${kind}_${++names}` })
}

const said = (turn: number): string => (turn % 2 === 0 ? `Do step ${turn}.` : `Did step ${turn}.`)
const roles = ['user', 'assistant'] as const
const history = (turns: number): readonly { readonly role: string; readonly content: string }[] =>
  Array.from({ length: turns * 2 - 1 }, (_, turn) => ({
    role: roles[turn % 2]!,
    content: said(turn),
  }))

async function gateway(url: string): Promise<Door> {
  const memory = await open(url)
  const setting = await startSetting({
    config: { memory: { inject: true } },
    memory: { use: async (work) => work(memory) },
  })
  return {
    async shown(session, turns) {
      const tools = [{ name: 'Read', input_schema: { type: 'object' } }]
      const messages = history(turns)
      const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, tools, messages })
      const headers = { 'x-session-id': session, 'x-api-key': 'k' }
      await setting.post('/v1/messages', body, headers)
      const sent = setting.upstream.received.findLast(
        ({ headers: each }) => each['x-session-id'] === session,
      )
      expect(setting.faults).toEqual([])
      const { messages: shown } = JSON.parse(String(sent?.body)) as {
        messages: readonly { content: string | readonly { text: string }[] }[]
      }
      return shown.flatMap(({ content }) =>
        typeof content === 'string' ? [content] : content.map(({ text }) => text),
      )
    },
    async close() {
      await setting.stop()
      memory.close()
    },
  }
}

/** The part of the plugin that tells: around it, a host takes so long that two never meet. */
async function plugin(url: string): Promise<Door> {
  const memory = createResource(
    () => open(url),
    (opened) => opened.close(),
  )
  const options = { memory, directory: '/project', budgetTokens: undefined }
  const messagesOf = createMemoryMessages(options)
  return {
    async shown(session, turns) {
      const messages: unknown[] = history(turns).map(({ role, content }, turn) => ({
        info: { id: `msg_${turn}`, sessionID: session, role },
        parts: [{ type: 'text', text: content }],
      }))
      await messagesOf.inject(messages, session, { isTurn: true, opened: null })
      return saidIn(messages as HostedMessage[])
    },
    close: () => memory.close(),
  }
}

async function middleware(url: string): Promise<Door> {
  const told = memoryMiddleware({ store: url, inject: true, cwd: '/project' })
  return {
    async shown(session, turns) {
      const providerOptions = { palimpsest: { session } }
      const prompt = history(turns).map(({ role, content }) => ({
        role,
        content: [{ type: 'text', text: content }],
      }))
      const params = await told.transformParams({ params: { prompt, providerOptions } })
      return params.prompt.flatMap(({ content }) => content.map(({ text }) => text))
    },
    close: () => told.close(),
  }
}

describe.skipIf(postgresFolder() === null)('two processes that tell one conversation', () => {
  beforeAll(async () => {
    server = await sharedPostgres()
  }, 60_000)

  it.each([
    ['gateways', gateway],
    ['plugins of OpenCode', plugin],
    ['middlewares', middleware],
  ])('tell it the same, whichever is first: %s', async (_, start) => {
    const url = await server.database()
    const [doors, memory] = [await Promise.all([start(url), start(url)]), await open(url)]
    memory.add({ kind: 'fact', text: 'fact number 0 is worth knowing' })
    await memory.save()
    const isTold = (text: string): boolean => text.includes('<memory>')
    for (let round = 1; round <= 12; round++) {
      const session = `s${round}`
      const asked = (turns: number): Promise<readonly (readonly string[])[]> =>
        Promise.all(doors.map((door) => door.shown(session, turns)))
      // While something is added, both are asked: what one of them knows, the other may not.
      memory.add({ kind: 'fact', text: `fact number ${round} is worth knowing` })
      const [first] = await Promise.all([asked(1), memory.save()])
      expect(first[0]!.filter(isTold)).toHaveLength(1)
      expect(first[1]).toEqual(first[0])
      memory.add({ kind: 'fact', text: `fact number ${round}b is worth knowing` })
      const [second] = await Promise.all([asked(2), memory.save()])
      const third = await asked(3)
      for (const each of [...second, ...third])
        expect(each.slice(0, first[0]!.length)).toEqual(first[0])
      expect(third[0]).toEqual(third[1])
      for (const each of second) expect(third[0]!.slice(0, each.length)).toEqual(each)
    }
    await Promise.all(doors.map((door) => door.close()))
    memory.close()
  })

  it('lose nothing that is said while something else is being saved', async () => {
    const url = await server.database()
    const memory = await open(url)
    await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        await new Promise((done) => setTimeout(done, number % 7))
        memory.add({ kind: 'fact', text: `said ${number}` })
        await new Promise((done) => setTimeout(done, number % 5))
        await memory.save()
      }),
    )
    const reader = await open(url)
    expect([...reader.state.items.values()].map(({ item }) => item.text).toSorted()).toEqual(
      Array.from({ length: 60 }, (_, number) => `said ${number}`).toSorted(),
    )
    expect([...reader.state.items.values()].flatMap((each) => each.reinforcements)).toEqual([])
    memory.close()
    reader.close()
  })
})
