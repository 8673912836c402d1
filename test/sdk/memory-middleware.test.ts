import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV3, LanguageModelV3Middleware } from '@ai-sdk/provider'
import { generateText, type ModelMessage, stepCountIs, streamText, wrapLanguageModel } from 'ai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Memory, openSqliteLog } from '../../src/memory/index.ts'
import {
  type MemoryMiddleware,
  type MemoryMiddlewareOptions,
  memoryMiddleware,
} from '../../src/sdk/index.ts'
import { preferManager } from '../memory/prefer.ts'
import { readTool } from '../model/read-tool.ts'
import { type RunningModel, startModel } from '../model/server.ts'

let folder: string
let memory: Memory
let model: RunningModel
let names = 0
let problems: unknown[]
const opened: MemoryMiddleware[] = []
const homeBefore = process.env.PALIMPSEST_HOME

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-sdk-'))
  process.env.PALIMPSEST_HOME = path.join(folder, 'home')
  mkdirSync(path.join(folder, 'home'))
  configure({ memory: { inject: true } })
  memory = openMemory(path.join(folder, 'home', 'palimpsest.db'))
  problems = []
  const step = (name: string) => ({
    reasoning: `Look at ${name}.`,
    operations: [{ kind: 'read' as const, path: name }],
  })
  const work = (...files: string[]) => [...files.map(step), { text: `Read ${files.join()}.` }]
  model = await startModel({
    scenario: { turns: [...work('a', 'b'), ...work('c'), ...work('d', 'e'), ...work('f')] },
  })
})

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  await model.stop()
  memory.close()
  rmSync(folder, { recursive: true })
  if (homeBefore === undefined) delete process.env.PALIMPSEST_HOME
  else process.env.PALIMPSEST_HOME = homeBefore
})

function openMemory(file: string): Memory {
  const newId = (kind: string): string => `${kind}_${++names}`
  return new Memory({ log: openSqliteLog(file), now: Date.now, newId })
}

function configure(config: object, where = 'home'): void {
  writeFileSync(path.join(folder, where, 'palimpsest.jsonc'), JSON.stringify(config))
}

function started(options: MemoryMiddlewareOptions = {}): MemoryMiddleware {
  const onProblem = (problem: unknown): void => void problems.push(problem)
  const middleware = memoryMiddleware({ session: 's', cwd: folder, onProblem, ...options })
  opened.push(middleware)
  return middleware
}

const prefer = (value: string, into: Memory = memory): string => preferManager(into, value)

const place = (): { readonly baseURL: string; readonly apiKey: string } => ({
  baseURL: `${model.url}/v1`,
  apiKey: 'none',
})
const providers = {
  anthropic: (): LanguageModelV3 => createAnthropic(place())('claude-sonnet-4-5'),
  'OpenAI chat': (): LanguageModelV3 => createOpenAI(place()).chat('gpt-5.1'),
  'OpenAI responses': (): LanguageModelV3 => createOpenAI(place()).responses('gpt-5.1'),
}

/** A user's request, and the steps that the model takes for it; the history with all of it. */
async function ask(
  middleware: LanguageModelV3Middleware,
  history: readonly ModelMessage[],
  how: {
    readonly isStreamed?: boolean
    readonly onTool?: () => void
    readonly provider?: keyof typeof providers
  } = {},
): Promise<readonly ModelMessage[]> {
  const messages = [...history]
  const options = {
    model: wrapLanguageModel({ model: providers[how.provider ?? 'anthropic'](), middleware }),
    system: 'Be brief.',
    messages,
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 } } },
    stopWhen: stepCountIs(8),
    maxRetries: 0,
    tools: {
      read: readTool(how.onTool),
    },
  }
  const result = how.isStreamed ? streamText(options) : await generateText(options)
  return [...messages, ...(await result.response).messages]
}

const user = (content: string): ModelMessage => ({ role: 'user', content })

interface Arrived {
  /** The bytes of the messages, without the brackets that close them. */
  readonly messages: string
  /** The rest of the body. */
  readonly around: string
}

function arrived(): readonly Arrived[] {
  return model.requests.map(({ body, status, violations }) => {
    expect({ status, violations }).toEqual({ status: 200, violations: [] })
    const start = body.indexOf('"messages":[')
    const end = body.indexOf('],"tools":')
    expect(start).toBeGreaterThan(0)
    expect(end).toBeGreaterThan(start)
    return {
      messages: body.slice(start, end).replace(/[\]}]+$/, ''),
      around: `${body.slice(0, start)}${body.slice(end).replace(streamedOnly, '')}`,
    }
  })
}

/** What the provider's package itself says in streamed calls only. */
const streamedOnly = /,"(stream|eager_input_streaming)":true/g

const times = (text: string, part: string): number => text.split(part).length - 1

describe('the middleware of the AI SDK', () => {
  it('tells what holds before the first message and changes behind the newest, and only adds', async () => {
    prefer('npm')
    let middleware = started()
    let history = await ask(middleware, [user('one')])
    history = await ask(middleware, [...history, user('two')], {
      isStreamed: true,
      onTool: () => prefer('pnpm'),
    })
    await middleware.close()
    middleware = started()
    history = await ask(middleware, [...history, user('three')], { isStreamed: true })
    prefer('yarn')
    await ask(middleware, [...history, user('four')])

    const requests = arrived()
    expect(requests.length).toBe(10)
    expect(model.remaining()).toBe(0)
    for (const [at, { messages, around }] of requests.entries()) {
      expect(around).toBe(requests[0]?.around)
      expect(messages.startsWith(requests[at - 1]?.messages ?? '')).toBe(true)
      expect(times(messages, '- package manager: npm')).toBe(1)
      expect(times(messages, '- package manager: pnpm (was: npm)')).toBe(at < 4 ? 0 : 1)
      expect(times(messages, '- package manager: yarn (was: pnpm)')).toBe(at < 8 ? 0 : 1)
    }
    const first = requests[0]!.messages
    expect(first).toMatch(
      /^"messages":\[\{"role":"user","content":\[\{"type":"text","text":"<memory>/,
    )
    expect(first.endsWith('{"type":"text","text":"one"')).toBe(true)
    expect(requests[4]!.messages).toMatch(/"text of c".*pnpm \(was: npm\)\\n<\/memory>"$/)
    expect(requests[8]!.messages).toMatch(/"text":"four"\},.*yarn \(was: pnpm\)\\n<\/memory>"$/)
    expect(history.some(({ content }) => JSON.stringify(content).includes('<memory>'))).toBe(false)
    expect(problems).toEqual([])
  })

  it.each(['OpenAI chat', 'OpenAI responses'] as const)(
    'does so with every provider: %s',
    async (provider) => {
      prefer('npm')
      const middleware = started()
      let history = await ask(middleware, [user('one')], { provider })
      const onTool = (): void => void prefer('pnpm')
      history = await ask(middleware, [...history, user('two')], { provider, onTool })
      await ask(middleware, [...history, user('three')], { provider, isStreamed: true })
      const lists = model.requests.map(({ body, status, violations }) => {
        expect({ status, violations }).toEqual({ status: 200, violations: [] })
        const { messages, input } = JSON.parse(body) as Record<string, readonly unknown[]>
        return (messages ?? input ?? []).map((each) => JSON.stringify(each))
      })
      expect(lists.length).toBe(8)
      for (const [at, list] of lists.entries()) {
        const said = list.join('\n')
        expect(list.slice(0, lists[at - 1]?.length ?? 0)).toEqual(lists[at - 1] ?? [])
        expect(times(said, '- package manager: npm')).toBe(1)
        expect(times(said, '- package manager: pnpm (was: npm)')).toBe(at < 4 ? 0 : 1)
      }
      // Before the words of the user, and behind the result of the tool.
      expect(lists[0]![1]).toMatch(/<memory>.*package manager: npm.*"one"/)
      expect(lists[4]!.at(-2)).toContain('text of c')
      expect(lists[4]!.at(-1)).toMatch(/"role":"user".*pnpm \(was: npm\)/)
      expect(problems).toEqual([])
    },
  )

  it('leaves every call as it is unless the configuration asks for it', async () => {
    prefer('npm')
    configure({})
    await ask(started(), [user('one')])
    expect(model.requests.length).toBe(3)
    expect(arrived().some(({ messages }) => messages.includes('<memory>'))).toBe(false)
    configure({ enabled: false, memory: { inject: true } })
    await unchangedBy(started())
    expect(memory.state.told.size).toBe(0)
  })

  it('is switched by the nearest file, and by an option above it', async () => {
    prefer('npm')
    configure({ memory: { inject: false } }, '.')
    await unchangedBy(started())
    expect(await toldBy(started({ inject: true }))).toContain('package manager: npm')
    configure({ memory: { inject: true } }, '.')
    expect(await toldBy(started())).toContain('package manager: npm')
    await unchangedBy(started({ inject: false }))
  })

  it('keeps the budget of the configuration, and of an option above it', async () => {
    for (let count = 0; count < 40; count++) {
      const name = `${'abcdefgh'[count % 8]}${'klmno'[Math.floor(count / 8)]}`
      memory.add({ kind: 'fact', text: `the ${name} folder is worth knowing` })
    }
    const lines = async (session: string, options = {}): Promise<number> =>
      times(await toldBy(started({ session, ...options })), '\n- ')
    expect(await lines('a')).toBe(40)
    configure({ memory: { inject: true, budgetTokens: 60 } })
    const few = await lines('b')
    expect(few).toBeGreaterThan(1)
    expect(few).toBeLessThan(8)
    expect(await lines('c', { budgetTokens: 120 })).toBeGreaterThan(few)
  })

  it('tells from the store of the configuration, of an option, and from an open memory', async () => {
    const other = path.join(folder, 'other.db')
    const there = openMemory(other)
    prefer('pnpm', there)
    prefer('npm')
    expect(await toldBy(started({ store: other }))).toContain('package manager: pnpm')
    configure({ memory: { inject: true }, store: other })
    expect(await toldBy(started())).toContain('package manager: pnpm')
    const given = started({ memory })
    expect(await toldBy(given)).toContain('package manager: npm')
    await given.close()
    expect(memory.state.items.size).toBe(1)
    there.close()
  })

  it('tells each conversation for itself, named by the call', async () => {
    prefer('npm')
    const middleware = started()
    const named = (session: string) => ({ palimpsest: { session } })
    expect(await toldBy(middleware, named('a'))).toContain('package manager: npm')
    prefer('pnpm')
    expect(await toldBy(middleware, named('a'))).toContain('package manager: pnpm (was: npm)')
    const fresh = await toldBy(middleware, named('b'))
    expect(fresh).toContain('package manager: pnpm')
    expect(fresh).not.toContain('npm)')
  })

  it('knows a message again when the mark of the cache has moved on', async () => {
    prefer('npm')
    const middleware = started()
    const marked = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
    const text = { type: 'text', text: 'one' }
    const one = { role: 'user', content: [text] }
    for (const first of [
      { ...one, ...marked },
      { ...one, content: [{ ...text, ...marked }] },
    ])
      await middleware.transformParams({ params: { prompt: [first] } })
    expect(memory.state.told.get('s')?.length).toBe(1)
    const answer = { role: 'assistant', content: [{ type: 'text', text: 'yes' }] }
    const two = { role: 'user', content: [{ type: 'text', text: 'two' }], ...marked }
    const { prompt } = await middleware.transformParams({ params: { prompt: [one, answer, two] } })
    expect(JSON.stringify(prompt[0])).toContain('package manager: npm')
    expect(prompt.slice(1)).toEqual([answer, two])
  })

  it('says nothing new where an answer is only continued', async () => {
    prefer('npm')
    const middleware = started()
    const first = await toldBy(middleware)
    prefer('pnpm')
    const begun = { role: 'assistant', content: [{ type: 'text', text: 'I' }] }
    const params = { prompt: [...callOf().prompt, begun] }
    const { prompt } = await middleware.transformParams({ params })
    expect(prompt.at(-1)).toBe(begun)
    expect(JSON.stringify(prompt.slice(0, 1))).toContain(JSON.stringify(first).slice(1, -1))
    expect(JSON.stringify(prompt)).not.toContain('pnpm')
  })
})

describe('a fault of ours', () => {
  it.each([
    ['a configuration that nobody understands', () => configure({ memory: { inject: 7 } }), {}],
    ['a store that cannot be opened', () => undefined, { store: '/dev/null/palimpsest.db' }],
    ['a conversation without a name', () => undefined, { session: undefined }],
  ])('lets the call through as it is: %s', async (_, arrange, options) => {
    prefer('npm')
    arrange()
    const middleware = started(options as MemoryMiddlewareOptions)
    await ask(middleware, [user('one')])
    expect(model.requests.length).toBe(3)
    expect(arrived().some(({ messages }) => messages.includes('<memory>'))).toBe(false)
    expect(problems.length).toBe(3)
    for (const problem of problems) expect(problem).toBeInstanceOf(Error)
  })

  it('is over when its cause is, and a report that fails harms nobody', async () => {
    prefer('npm')
    configure({ memory: { inject: 7 } })
    const middleware = started({
      onProblem: () => {
        throw new Error('the report')
      },
    })
    await unchangedBy(middleware)
    configure({ memory: { inject: true } })
    expect(await toldBy(middleware)).toContain('package manager: npm')
  })
})

interface Call {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[]
  readonly providerOptions?: unknown
}

const callOf = (providerOptions?: unknown): Call => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'one' }] }],
  ...(providerOptions === undefined ? {} : { providerOptions }),
})

/** What is told with a call of one message. */
async function toldBy(middleware: MemoryMiddleware, providerOptions?: unknown): Promise<string> {
  const params = callOf(providerOptions)
  const { prompt } = await middleware.transformParams({ params })
  expect(prompt.length).toBe(1)
  const parts = prompt[0]?.content as readonly { readonly text: string }[]
  return parts.flatMap(({ text }) => (text === 'one' ? [] : [text])).join('\n')
}

async function unchangedBy(middleware: MemoryMiddleware): Promise<void> {
  const params = callOf()
  expect(await middleware.transformParams({ params })).toBe(params)
}
