import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { bundledCommand } from '../bundled-program.ts'
import { connectClient } from '../mcp/connected-client.ts'
import { bodyOf } from '../property/wire.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import type { Serving } from './serving.ts'
import { post } from './setting.ts'
import { paths, storyMessages } from './story.ts'

const cleared = '[Old tool result content cleared]'
const requests = storyMessages({ turns: 12 })
let served: ServedCommands
let serving: Serving
let command: string

function run(...args: readonly string[]): Promise<string> {
  const options = { env: { ...process.env, PALIMPSEST_HOME: served.folder }, cwd: served.folder }
  const store = ['--store', path.join(served.folder, 'cuts.db')]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [command, ...args, ...store], options, (error, out) =>
      error === null ? resolve(out) : reject(error),
    )
  })
}

async function send(messages: readonly MessageDraft[]): Promise<string> {
  const headers = { 'x-session-id': 'cuts', 'x-api-key': 'k' }
  const url = `${serving.url}${paths.anthropic}`
  const body: object = JSON.parse(bodyOf('anthropic', messages))
  // The MCP server shows the sessions of its own folder.
  const system = `Working directory: ${realpathSync(served.folder)}`
  const answer = await post(url, JSON.stringify({ ...body, system }), headers)
  expect(answer.status).toBe(200)
  return String(answer.headers['x-palimpsest'])
}

/** The history of a client that cleared its first results, as Claude Code does after a pause. */
function clearing(messages: readonly MessageDraft[], count: number): readonly MessageDraft[] {
  let left = count
  return messages.map((message) => ({
    ...message,
    items: message.items.map((item) =>
      item.kind === 'result' && left-- > 0 ? { ...item, text: cleared } : item,
    ),
  }))
}

const handlesIn = (out: string): readonly string[] =>
  /the originals are here:\n\s+([0-9a-f ]+)/.exec(out)?.[1]?.trim().split(' ') ?? []

beforeAll(async () => {
  command = await bundledCommand()
  served = await serveCommands()
  serving = await served.start('cuts.db')
}, 120_000)
afterAll(() => served.stop())

describe('results that the agent itself took out of its history', () => {
  it('are named with their handles when it cleared them', async () => {
    for (const messages of requests.slice(1, 9)) expect(await send(messages)).not.toMatch(/agent-/)
    expect(await send(clearing(requests[9] ?? [], 3))).toMatch(/agent-cleared=3/)
    // The next request has the same lines, and nothing new was cleared.
    expect(await send(clearing(requests[10] ?? [], 3))).not.toMatch(/agent-/)
    await expect.poll(() => run('show', 'cuts'), { timeout: 20_000 }).toMatch(/itself cleared 3/)
    const handles = handlesIn(await run('show', 'cuts'))
    expect(handles).toHaveLength(3)
    const originals = await Promise.all(handles.map((handle) => run('restore', handle)))
    const before = requests[8]?.flatMap(({ items }) =>
      items.flatMap(({ kind, text }) => (kind === 'result' ? [text] : [])),
    )
    expect(originals.toSorted()).toEqual(before?.slice(0, 3).toSorted())
    expect(await run('watch', 'cuts', '--once')).toMatch(/itself cleared 3 results before request/)
    const client = await connectClient({
      home: served.folder,
      args: ['--store', path.join(served.folder, 'cuts.db')],
    })
    const told = await client.call('context_info', { session: 'cuts' })
    expect(told.text).toMatch(/itself cleared 3 results before request/)
    expect(handlesIn(told.text)).toEqual(handles)
    const fetched = await client.call('context_restore', { handle: handles[0], session: 'cuts' })
    expect(fetched).toEqual({ text: originals[0], isError: false })
    await client.close()
  })

  it('are named when a summary replaced them', async () => {
    const summary = 'This session is being continued from a previous conversation that ran out.'
    const compacted: MessageDraft = { role: 'user', items: [{ kind: 'text', text: summary }] }
    expect(await send([compacted, ...(requests[12]?.slice(-2) ?? [])])).toMatch(
      /agent-compacted=\d+/,
    )
    await expect
      .poll(() => run('show'), { timeout: 20_000 })
      .toMatch(/itself compacted its history, \d+ results left it before request 1/)
    const [handle = ''] = handlesIn(await run('show'))
    expect((await run('restore', handle)).length).toBeGreaterThan(cleared.length)
  })
})
