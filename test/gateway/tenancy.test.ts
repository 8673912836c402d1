import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { bundledCommand } from '../bundled-program.ts'
import { type CapturedRun, captureRun } from '../captured-run.ts'
import { sharedPostgres } from '../store/postgres.ts'
import { type RecordingUpstream, startRecordingUpstream } from './recording-upstream.ts'
import { type Serving, serve } from './serving.ts'
import { post } from './setting.ts'
import { paths, storyBodies } from './story.ts'

const administrator = { 'x-palimpsest-token': 'the-administrator' }
const people = ['ana', 'ben'] as const
type Person = (typeof people)[number]
/** What only this person has said. */
const secretWord: Readonly<Record<Person, string>> = { ana: 'quokka', ben: 'wombat' }
const toolNames = [{ name: 'Read', input_schema: { type: 'object' } }]

/** A team on one store, with one key of the provider, one name of a session and one folder for all. */
function keepsPeopleApart(makeStore: (folder: string) => Promise<string>, isShared: boolean): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest tenancy '))
  const tokens = new Map<string, string>()
  let store: string
  let upstream: RecordingUpstream
  let serving: Serving
  let url: string

  async function command(token: string | null, ...args: readonly string[]): Promise<CapturedRun> {
    const before = process.env.PALIMPSEST_TOKEN
    if (token !== null) process.env.PALIMPSEST_TOKEN = token
    try {
      return await captureRun([...args, '--store', store], {
        ...{ cwd: folder, home: folder },
        // What the gateway learnt is in the past.
        stepMs: Date.now(),
      })
    } finally {
      if (before === undefined) delete process.env.PALIMPSEST_TOKEN
      else process.env.PALIMPSEST_TOKEN = before
    }
  }

  const showing = (name: string): Record<string, string> => ({
    'x-palimpsest-token': tokens.get(name) ?? '',
  })

  async function say(who: Record<string, string>, text: string): Promise<string> {
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 10,
      tools: toolNames,
      messages: [{ role: 'user', content: text }],
    }
    const headers = { 'x-api-key': 'shared', 'x-session-id': 'same', ...who }
    const answer = await post(`${url}${paths.anthropic}`, JSON.stringify(body), headers)
    expect(answer.status).toBe(200)
    return String(upstream.received.at(-1)?.body)
  }

  async function mcp(
    who: Record<string, string>,
    name: string,
    input: object = {},
  ): Promise<string> {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-palimpsest-project': folder,
        'x-session-id': 'same',
        ...who,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      }),
    })
    return answer.text()
  }

  async function memoryOf(who: Record<string, string>): Promise<readonly { id: string }[]> {
    const answer = await fetch(`${url}/palimpsest/api/memory`, { headers: who })
    return ((await answer.json()) as { items: { id: string }[] }).items
  }

  beforeAll(async () => {
    store = await makeStore(folder)
    writeFileSync(
      path.join(folder, 'palimpsest.jsonc'),
      JSON.stringify({ memory: { learn: true, inject: true } }),
    )
    upstream = await startRecordingUpstream()
    for (const name of people) {
      const { out } = await command(null, 'token', 'create', name, '--json')
      tokens.set(name, (JSON.parse(out) as { token: string }).token)
    }
    serving = await serve({
      command: await bundledCommand(),
      home: folder,
      store,
      upstream: upstream.url,
      args: ['--token', 'the-administrator'],
    })
    url = serving.url
    for (const name of people)
      await say(showing(name), `I prefer ${secretWord[name]} as my editor.`)
    await say(administrator, 'I prefer dingo as my editor.')
    await say({}, 'I prefer numbat as my editor.')
    const count = async (who: Record<string, string>): Promise<number> =>
      (await memoryOf(who)).length
    for (const who of [...people.map(showing), administrator])
      await vi.waitFor(async () => expect(await count(who)).toBe(1), 15_000)
  }, 120_000)

  afterAll(async () => {
    await serving?.end('SIGTERM')
    await upstream?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('learns into the memory of the user who speaks, and gives it to no other', async () => {
    const words: Record<string, string> = { ...secretWord, administrator: 'dingo' }
    const showings = { ...Object.fromEntries(people.map((name) => [name, showing(name)])) }
    for (const [name, word] of Object.entries(words)) {
      const who = name === 'administrator' ? administrator : (showings[name] ?? {})
      const asked = { 'x-session-id': `new for ${name}`, ...who }
      const sent = await say(asked, 'Which editor do I use?')
      expect(sent).toContain(word)
      for (const other of Object.values(words).filter((each) => each !== word))
        expect([name, other, sent.includes(other)]).toEqual([name, other, false])
      expect(sent).not.toContain('numbat')
    }
    const anonymous = await say({ 'x-session-id': 'new' }, 'Which editor do I use?')
    for (const word of [...Object.values(words), 'numbat', '<memory>'])
      expect(anonymous).not.toContain(word)
  })

  it('answers every memory tool from the own memory alone', async () => {
    const [bens] = await memoryOf(showing('ben'))
    const id = bens?.id ?? ''
    expect(id).not.toBe('')
    const asked: readonly (readonly [string, object])[] = [
      ['memory_list', {}],
      ['memory_list', { all: true }],
      ['memory_search', { query: 'editor' }],
      ['memory_search', { query: 'wombat' }],
      ['memory_get', { id }],
      ['memory_history', { id }],
      ['memory_log', {}],
      ['memory_context', {}],
      ['memory_patterns', {}],
      ['memory_check', {}],
      ['memory_review', {}],
      ['memory_export', {}],
      ['memory_retract', { id }],
      ['memory_undo', { id }],
      ['memory_forget', { ids: [id] }],
      ['memory_supersede', { old: id, new: id }],
    ]
    for (const [name, input] of asked) {
      const answer = await mcp(showing('ana'), name, input)
      expect([name, answer.includes('wombat'), answer.includes('dingo')]).toEqual([
        name,
        false,
        false,
      ])
    }
    expect(await mcp(showing('ana'), 'memory_list')).toContain('quokka')
    const own = await mcp(showing('ben'), 'memory_get', { id })
    expect(own).toContain('wombat')
    expect(own).not.toContain('retracted')
  })

  it('shows and changes the own memory alone in the dashboard', async () => {
    const shown = JSON.stringify(await memoryOf(showing('ana')))
    expect([shown.includes('quokka'), shown.includes('wombat')]).toEqual([true, false])
    const [bens] = await memoryOf(showing('ben'))
    const forget = async (who: Record<string, string>): Promise<number> =>
      (
        await fetch(`${url}/palimpsest/api/memory/forget`, {
          method: 'POST',
          headers: who,
          body: JSON.stringify({ id: bens?.id, confirm: true }),
        })
      ).status
    expect(await forget(showing('ana'))).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(await memoryOf(showing('ben')))).toContain('wombat')
  })

  it('pauses the own session, and none of others with the same id', async () => {
    const rows = async (
      who: Record<string, string>,
    ): Promise<readonly { key: string; id: string; isPaused: boolean }[]> => {
      const answer = await fetch(`${url}/palimpsest/api/sessions`, { headers: who })
      return ((await answer.json()) as { sessions: [] }).sessions
    }
    const pausedOf = async (name: Person): Promise<readonly boolean[]> =>
      (await rows(showing(name))).filter(({ id }) => id === 'same').map(({ isPaused }) => isPaused)
    const pause = async (name: Person, paused: boolean): Promise<number> => {
      const session = (await rows(showing(name))).find(({ id }) => id === 'same')?.key
      const body = JSON.stringify({ session, paused })
      const path = `${url}/palimpsest/api/pause`
      return (await fetch(path, { method: 'POST', headers: showing(name), body })).status
    }
    expect([await pausedOf('ana'), await pausedOf('ben')]).toEqual([[false], [false]])
    expect(await pause('ana', true)).toBe(200)
    expect([await pausedOf('ana'), await pausedOf('ben')]).toEqual([[true], [false]])
    expect(await pause('ben', false)).toBe(200)
    expect([await pausedOf('ana'), await pausedOf('ben')]).toEqual([[true], [false]])
    expect(await pause('ana', false)).toBe(200)
    expect(await pausedOf('ana')).toEqual([false])
  })

  it('gives originals of /v1/compress to the token that sent them', async () => {
    const long = (word: string): string =>
      Array.from({ length: 900 }, (_, at) => `line ${at} of ${word} ${at * 7}`).join('\n')
    const messages = [
      { role: 'user', content: 'look' },
      ...[1, 2, 3].flatMap((turn) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `c${turn}`,
              type: 'function',
              function: { name: 'bash', arguments: '{"command":"make all"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: `c${turn}`, content: long(`round${turn}`) },
      ]),
    ]
    const call = async (who: Record<string, string>): Promise<readonly string[]> => {
      const answer = await fetch(`${url}/v1/compress`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer shared', ...who },
        body: JSON.stringify({ model: 'gpt-5', messages, config: { mode: 'ccr' } }),
      })
      return ((await answer.json()) as { ccr_hashes: string[] }).ccr_hashes
    }
    const [hash = ''] = await call(showing('ana'))
    expect(hash).not.toBe('')
    const retrieve = async (who: Record<string, string>): Promise<number> =>
      (
        await fetch(`${url}/v1/retrieve/${hash}`, {
          headers: { authorization: 'Bearer shared', ...who },
        })
      ).status
    expect(await retrieve(showing('ana'))).toBe(200)
    expect(await retrieve(showing('ben'))).toBe(404)
    expect(await retrieve(administrator)).toBe(404)
  })

  it('gives commands with a named token what is theirs', async () => {
    for (const body of storyBodies('anthropic', { turns: 2, word: 'zebra' }))
      await post(`${url}${paths.anthropic}`, body, {
        'x-api-key': 'shared',
        'x-session-id': 'story',
        ...showing('ben'),
      })
    const run = (name: Person, ...args: readonly string[]): Promise<CapturedRun> =>
      command(tokens.get(name) ?? '', ...args)
    const handles = async (name: Person): Promise<string> =>
      (await run(name, 'sessions', '--json')).out
    await expect.poll(() => handles('ben'), { timeout: 10_000 }).toContain('"story"')
    expect(await handles('ana')).not.toContain('"story"')
    expect((await run('ben', 'memory', 'list')).out).toContain('wombat')
    expect((await run('ana', 'memory', 'list')).out).not.toContain('wombat')
    expect((await run('ana', 'memory', 'search', 'wombat')).out).not.toContain('wombat')
    const shown = await run('ben', 'show', 'story', '--json')
    expect(shown.code).toBe(0)
    expect((await run('ana', 'show', 'story', '--json')).code).not.toBe(0)
    const invalid = await command('pal_0123456789_invalidinvalidinvalidinvalidinval', 'sessions')
    expect([invalid.code, invalid.err]).toEqual([2, expect.stringContaining('PALIMPSEST_TOKEN')])
  })

  if (!isShared) return
  it('gives commands without a token what was sent without one', async () => {
    const listed = JSON.parse((await command(null, 'sessions', '--json')).out) as { id: string }[]
    expect(listed.map(({ id }) => id)).not.toContain('story')
    expect(listed.length).toBeGreaterThan(0)
    expect((await command(null, 'show', 'story')).code).not.toBe(0)
    const memory = (await command(null, 'memory', 'list')).out
    expect([memory.includes('dingo'), memory.includes('wombat')]).toEqual([true, false])
  })
}

describe('people with tokens on one file', { timeout: 60_000 }, () => {
  keepsPeopleApart(async (folder) => path.join(folder, 'team.db'), false)
})

describe.skipIf(postgresFolder() === null)(
  'people with tokens on one PostgreSQL',
  { timeout: 60_000 },
  () => {
    keepsPeopleApart(async () => (await sharedPostgres()).database(), true)
  },
)
