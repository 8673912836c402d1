import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { bundledCommand } from '../bundled-program.ts'
import { startSetting } from '../gateway/setting.ts'
import { paths, storyBodies, storyMessages } from '../gateway/story.ts'
import { type ConnectedClient, connectClient } from './connected-client.ts'

const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'palimpsest-mcp-context-')))
const text = 'alpha\r\nbeta — 🦉\ngamma\ndelta\n\n  no newline at the end'
let connected: ConnectedClient
/** A handle that a placeholder named in what went upstream. */
let named = ''

beforeAll(async () => {
  connected = await connectClient({ home })
  expect(await connected.call('context_info')).toMatchObject({
    text: expect.stringContaining('No session'),
  })
  const store = await openStore({ kind: 'sqlite', path: path.join(home, 'palimpsest.db') })
  await tell(store, 'first', 'abc123', text)
  await tell(store, 'second', 'abc123', 'another text under the same handle')
  await tell(store, 'second-fork', 'def456', 'only here')
  await tell(store, 'elsewhere', 'aaa111', 'what another project says', '/another/project')
  const setting = await startSetting({ store, config: { schedule: 'eager' } })
  for (const body of storyBodies('anthropic'))
    await setting.post(paths.anthropic, inFolder(body, home), {
      'content-type': 'application/json',
      'x-claude-code-session-id': 'told-session',
    })
  const last = String(setting.upstream.received.at(-1)?.body ?? '')
  named = / · ([0-9a-f]{6,})\]/.exec(last)?.[1] ?? ''
  await setting.stop()
  await store.close()
}, 60_000)

afterAll(async () => {
  await connected?.close()
  rmSync(home, { recursive: true, force: true })
})

/** The request of an agent that says where it works. */
function inFolder(body: string, folder: string): string {
  return JSON.stringify({ ...JSON.parse(body), system: `Working directory: ${folder}` })
}

async function tell(
  store: Store,
  id: string,
  handle: string,
  said: string,
  folder: string | null = home,
): Promise<void> {
  const draft: MessageDraft = { role: 'user', items: [{ kind: 'text', text: said }] }
  const expected = { messages: 0, ledger: 0, entries: 0 }
  const messages = [{ previous: null, draft, handles: [handle] }]
  await store.append(await store.openSession({ id, origin: 'test', folder }), {
    expected,
    messages,
  })
}

describe('context_restore', () => {
  it('gives the original byte for byte, with or without the words around its handle', async () => {
    const given = { session: 'first' }
    for (const handle of ['abc123', 'ABC123', '[context_restore abc123]'])
      expect(await connected.call('context_restore', { handle, ...given })).toEqual({
        text,
        isError: false,
      })
  })

  it('gives the lines and the matches that were asked for', async () => {
    const given = { handle: 'abc123', session: 'first' }
    const lines = await connected.call('context_restore', { ...given, lines: '2-3' })
    expect(lines.text).toBe('beta — 🦉\ngamma')
    expect((await connected.call('context_restore', { ...given, lines: 3 })).text).toBe('gamma')
    const found = await connected.call('context_restore', { ...given, grep: '^(gam|del)' })
    expect(found.text).toBe('3: gamma\n4: delta')
  })

  it('brings back what a gateway left out of a request', async () => {
    expect(named).not.toBe('')
    const originals = storyMessages()
      .at(-1)
      ?.flatMap(({ items }) => items.map((item) => item.text))
    const { text: restored, isError } = await connected.call('context_restore', { handle: named })
    expect(isError).toBe(false)
    expect(originals).toContain(restored)
  })

  it('says what is wrong with a handle or a session', async () => {
    const cases = [
      [{ handle: 'fffff0' }, /no original is known as fffff0/],
      [{ handle: 'def456', session: 'first' }, /no original is known as def456/],
      [{ handle: 'xyz' }, /"xyz" is not a valid handle/],
      [{ handle: 'abc1' }, /six or more hex digits/],
      [{ handle: 'abc123', session: 'unheard' }, /no session is called unheard.*told-session/],
      [{ handle: 'abc123' }, /different texts[\s\S]*second[\s\S]*another text[\s\S]*first/],
    ] as const
    for (const [input, reason] of cases)
      expect([input, await connected.call('context_restore', input)]).toEqual([
        input,
        { text: expect.stringMatching(reason), isError: true },
      ])
    const begun = await connected.call('context_restore', { handle: 'def456', session: 'second-' })
    expect(begun).toEqual({ text: 'only here', isError: false })
  })
})

describe('context_info', () => {
  it('shows the last used session, with the handles of what was left out', async () => {
    const { text: info } = await connected.call('context_info')
    expect(info).toMatch(/^Session told-session \(gateway\), last used /)
    expect(info).toMatch(/Context: ~\S+ /)
    expect(info).toContain(`  ${named}  `)
    expect(info).toMatch(/Others: .*first/)
  })

  it('shows the session that was asked for, and does not change it', async () => {
    const [before, after] = [
      await connected.call('context_info', { session: 'first' }),
      await connected.call('context_info', { session: 'first' }),
    ]
    expect(before.text).toMatch(/^Session first \(test\)[\s\S]*Everything is shown in full\.$/)
    expect(after).toEqual(before)
    expect(await connected.call('context_info', { session: 'unheard' })).toMatchObject({
      isError: true,
    })
  })
})

describe('a server that is told which session it works for', () => {
  it.each([
    ['by Claude Code', { environment: { CLAUDE_CODE_SESSION_ID: 'first' } }],
    ['by its option', { args: ['--session', 'first'] }],
  ])('%s, means that one when none is named', async (_, told) => {
    const own = await connectClient({ home, ...told })
    expect(await own.call('context_restore', { handle: 'abc123' })).toEqual({
      text,
      isError: false,
    })
    expect((await own.call('context_info')).text).toMatch(/^Session first \(test\)/)
    const elsewhere = await own.call('context_restore', { handle: 'def456' })
    expect(elsewhere).toEqual({ text: 'only here', isError: false })
    await own.close()
  })
})

describe('a session of another project', () => {
  const nothing = { text: 'no original is known as aaa111', isError: true }

  it('is not found by handle, by name, in lists, nor by who says to be of it', async () => {
    expect(await connected.call('context_restore', { handle: 'aaa111' })).toEqual(nothing)
    for (const tool of ['context_restore', 'context_info'])
      expect(await connected.call(tool, { handle: 'aaa111', session: 'elsewhere' })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^no session is called elsewhere; the last used here are: /),
      })
    expect((await connected.call('context_info')).text).not.toContain('elsewhere')
    const own = await connectClient({ home, args: ['--session', 'first'] })
    expect(await own.call('context_restore', { handle: 'aaa111' })).toEqual(nothing)
    await own.close()
  })

  it('is found from there, and from there the sessions of this one are not', async () => {
    const there = path.join(home, 'there, with spaces')
    mkdirSync(there)
    const store = await openStore({ kind: 'sqlite', path: path.join(home, 'palimpsest.db') })
    await tell(store, 'inside', 'bbb222', 'said there', there)
    await store.close()
    const other = await connectClient({ home, cwd: there })
    expect((await other.call('context_restore', { handle: 'bbb222' })).text).toBe('said there')
    expect(await other.call('context_restore', { handle: 'def456' })).toMatchObject({
      isError: true,
    })
    expect((await other.call('context_info')).text).toMatch(/^Session inside/)
    await other.close()
  })

  it('of which nobody knows the folder, is found by its handle while it is in use, and not listed', async () => {
    const store = await openStore({ kind: 'sqlite', path: path.join(home, 'palimpsest.db') })
    await tell(store, 'homeless', 'ccc333', 'said somewhere', null)
    await store.close()
    const longAgo = { now: () => Date.now() - 2 * 60 * 60 * 1000 }
    const earlier = await openStore(
      { kind: 'sqlite', path: path.join(home, 'palimpsest.db') },
      longAgo,
    )
    await tell(earlier, 'long ago', 'ddd444', 'said long ago', null)
    await earlier.close()
    expect((await connected.call('context_restore', { handle: 'ccc333' })).text).toBe(
      'said somewhere',
    )
    expect(await connected.call('context_restore', { handle: 'ddd444' })).toMatchObject({
      isError: true,
    })
    expect((await connected.call('context_info')).text).not.toContain('homeless')
  })
})

describe('the process', () => {
  it('answers what was piped to it before it ends, and writes nothing but the protocol', async () => {
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'pipe', version: '1' },
    }
    const input = [
      { id: 1, method: 'initialize', params: initialize },
      { method: 'notifications/initialized' },
      {
        id: 2,
        method: 'tools/call',
        params: { name: 'context_restore', arguments: { handle: 'def456' } },
      },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
    const { code, out } = await run([], `${input.join('\n')}\n`)
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(code).toBe(0)
    expect(answers).toMatchObject([
      { id: 1, result: { protocolVersion: '2025-06-18' } },
      { id: 2, result: { content: [{ text: 'only here' }] } },
    ])
  })

  it('answers with the reason when the store cannot be opened, and works once it can', async () => {
    const place = path.join(home, 'broken.db')
    const broken = await connectClient({ home, args: ['--store', place] })
    writeFileSync(place, 'this is no database, however long one looks at it'.repeat(100))
    for (const name of ['memory_list', 'context_info'])
      expect(await broken.call(name)).toMatchObject({
        isError: true,
        text: expect.stringContaining('broken.db'),
      })
    rmSync(place)
    expect(await broken.call('memory_list')).toEqual({ text: '{"items":[]}', isError: false })
    expect((await broken.call('context_info')).isError).toBe(false)
    await broken.close()
  })

  it('ends at once with 0 when it is told to', async () => {
    const child = spawn(process.execPath, [await bundledCommand(), 'mcp'], {
      env: { ...process.env, PALIMPSEST_HOME: home },
      cwd: home,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const gone = new Promise((resolve) => child.once('exit', (...how) => resolve(how)))
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const told = performance.now()
    child.kill('SIGTERM')
    expect(await gone).toEqual([0, null])
    // Clients wait a few seconds before they kill.
    expect(performance.now() - told).toBeLessThan(5_000)
  })

  it('exits with 2 when it is told something impossible, with nothing on standard output', async () => {
    expect(await run(['--store', 'mysql://x/y'], '')).toEqual({ code: 2, out: '' })
  })
})

async function run(
  args: readonly string[],
  input: string,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn(process.execPath, [await bundledCommand(), 'mcp', ...args], {
    env: { ...process.env, PALIMPSEST_HOME: home },
    cwd: home,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out }
}
