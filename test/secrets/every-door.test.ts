import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openStore } from '../../src/store/index.ts'
import { loadSqlite } from '../../src/store/sqlite/driver.ts'
import { bundledCommand } from '../bundled-program.ts'
import { captureRun } from '../captured-run.ts'
import { startRecordingUpstream } from '../gateway/recording-upstream.ts'
import { type Serving, serve } from '../gateway/serving.ts'
import { post } from '../gateway/setting.ts'
import { paths } from '../gateway/story.ts'
import { connectClient } from '../mcp/connected-client.ts'

const digits = 'aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2bC4dE6fG8h'
/** Joined here, so that no scanner takes this file for a leak. */
const keys: readonly string[] = [
  ['sk', '-ant-api03-', digits],
  ['sk', '-proj-', digits],
  ['AK', 'IA', 'IOSFODNN7EXAMPLQ'],
  ['gh', 'p_', digits],
  ['glp', 'at-', digits.slice(0, 24)],
  ['xo', 'xb-', '123456789012-', digits.slice(0, 24)],
  ['AI', 'za', digits],
  ['np', 'm_', digits],
  ['ey', 'JhbGciOiJIUzI1NiJ9.', 'ey', 'JzdWIiOiIxMjM0NTY3ODkwIn0.', digits],
  ['sk', '_live_', digits.slice(0, 24)],
  ['pa', 'l_0123456789_', digits.slice(0, 32)],
].map((parts) => parts.join(''))

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest secrets everywhere '))
const file = path.join(folder, 'palimpsest.db')
const log = path.join(folder, 'requests.jsonl')
const sources: [name: string, text: string][] = []
let exported = ''
let collector: Server
let serving: Serving

const keptOf = (text: string): readonly string[] =>
  keys.filter((key) => text.includes(key) || text.includes(key.slice(-20)))

beforeAll(async () => {
  const upstream = await startRecordingUpstream()
  collector = createServer((request, response) => {
    request.on('data', (part: Buffer) => {
      exported += part.toString('utf8')
    })
    request.on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  writeFileSync(
    path.join(folder, 'palimpsest.jsonc'),
    JSON.stringify({
      memory: { learn: true, inject: true },
      upstreams: { local: `http://127.0.0.1:9/${keys[0]}` },
    }),
  )
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  try {
    serving = await serve({
      command: await bundledCommand(),
      home: folder,
      store: file,
      upstream: upstream.url,
      args: ['--token', 'the-administrator', '--log', log],
    })
  } finally {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  }
  for (const [at, key] of keys.entries()) await converse(key, at)
  const client = await connectClient({ home: folder })
  for (const key of keys) {
    const said = `I prefer pnpm, and the key is ${key}.`
    await client.call('memory_observe', { text: said })
    await client.call('memory_add', { kind: 'fact', text: `the key is ${key}` })
    await client.call('memory_search', { query: key })
  }
  const [, listed] = [await client.call('memory_list'), await client.call('memory_export')]
  sources.push(['memory over MCP', listed.text])
  await client.close()
  for (const args of [
    ['memory', 'add', 'fact', `the deploy key is ${keys[1]}`],
    ['sessions', '--store', `ftp://me:${keys[3]}@example.com/x`],
    ['restore', String(keys[2])],
  ]) {
    const { out, err } = await captureRun(args, { cwd: folder, home: folder })
    sources.push([`palimpsest ${args[0]}`, out + err])
  }
  await readEverything()
  await serving.end('SIGTERM')
  sources.push(['what serve printed', serving.output + serving.errors])
  sources.push(['traces and metrics', exported])
  await upstream.stop()
}, 120_000)

afterAll(() => {
  collector?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A key in the credential, in the user's words, in a command, and in the output of a tool. */
async function converse(key: string, at: number): Promise<void> {
  const call = `toolu_${at}`
  const body = {
    model: 'claude-sonnet-4-5',
    max_tokens: 10,
    tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: `I prefer yarn. The upload key is ${key}` },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: call, name: 'Bash', input: { command: `echo ${key}` } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call, content: `export TOKEN=${key}` }],
      },
    ],
  }
  const headers = {
    'x-api-key': key,
    'x-session-id': `session-${at}`,
    'x-palimpsest-token': 'the-administrator',
  }
  for (const sent of [{ ...body, messages: body.messages.slice(0, 1) }, body])
    await post(`${serving.url}${paths.anthropic}`, JSON.stringify(sent), headers)
}

async function readEverything(): Promise<void> {
  const headers = { 'x-palimpsest-token': 'the-administrator' }
  const api = async (route: string): Promise<string> =>
    (await fetch(`${serving.url}${route}`, { headers })).text()
  await vi.waitFor(
    async () => expect(await api('/palimpsest/api/sessions')).toContain('session-10'),
    10_000,
  )
  await vi.waitFor(
    async () => expect(await api('/palimpsest/api/memory')).toContain('yarn'),
    10_000,
  )
  const { sessions } = JSON.parse(await api('/palimpsest/api/sessions')) as {
    sessions: readonly { readonly key: string }[]
  }
  const [first] = sessions
  const detail = await api(`/palimpsest/api/sessions/${first?.key}`)
  const { itemList } = JSON.parse(detail) as { itemList: readonly { readonly handle: string }[] }
  sources.push(['a session in the dashboard', detail])
  for (const { handle } of itemList)
    sources.push([
      'an item in the dashboard',
      await api(`/palimpsest/api/sessions/${first?.key}/items/${handle}`),
    ])
  for (const route of ['status', 'overview', 'sessions', 'memory', 'settings'])
    sources.push([`dashboard ${route}`, await api(`/palimpsest/api/${route}`)])
  sources.push(['metrics', await api('/metrics')])
  sources.push(['status', await api('/palimpsest/status')])
  sources.push(['the log', readFileSync(log, 'utf8')])
  await fromStore()
  await fromReports(`session-10`)
}

async function fromStore(): Promise<void> {
  const store = await openStore({ kind: 'sqlite', path: file })
  for (const session of await store.sessions()) {
    sources.push(['receipts', JSON.stringify(await store.receipts(session))])
    sources.push(['names', JSON.stringify(session)])
  }
  await store.close()
  const database = loadSqlite()(file)
  const events = database.prepare('select body from memory_events').all()
  database.close()
  sources.push(['the memory', JSON.stringify(events)])
}

async function fromReports(session: string): Promise<void> {
  const where = { cwd: folder, home: folder, userHome: folder }
  const report = path.join(folder, 'doctor.json')
  await captureRun(['doctor', '--report', report], where)
  sources.push(['doctor --report', readFileSync(report, 'utf8')])
  const page = path.join(folder, 'page.html')
  const program = [await bundledCommand(), 'report', session, '--store', file, '--out', page]
  await new Promise((resolve) => execFile(process.execPath, program, { cwd: folder }, resolve))
  const html = readdirSync(folder).includes('page.html') ? readFileSync(page, 'utf8') : ''
  const packed = /id="report-data">([^<]*)</.exec(html)?.[1] ?? ''
  if (packed !== '')
    sources.push(['report', gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')])
}

it('writes eleven kinds of keys nowhere but into the record of a session', () => {
  const names = new Set(sources.map(([name]) => name))
  for (const name of [
    'the log',
    'the memory',
    'receipts',
    'report',
    'doctor --report',
    'traces and metrics',
  ])
    expect(names).toContain(name)
  for (const [name, text] of sources) expect([name, keptOf(text)]).toEqual([name, []])
  const texts = new Map(sources)
  expect(texts.get('the memory')).toContain('yarn')
  expect(texts.get('the log')).toContain('claude-sonnet-4-5')
  expect(texts.get('a session in the dashboard')).toContain('[secret]')
  expect(texts.get('traces and metrics')).toContain('palimpsest')
})

it('leaves no key in any other file of the user', () => {
  for (const name of readdirSync(folder)) {
    // The configuration is the user's own. The record is in the store, which the test before reads table by table.
    if (name === 'palimpsest.jsonc' || name.startsWith('palimpsest.db')) continue
    const found = path.join(folder, name)
    expect([name, keptOf(readFileSync(found, 'latin1'))]).toEqual([name, []])
  }
})
