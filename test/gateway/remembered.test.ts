import { execFile } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Memory, openSqliteLog } from '../../src/memory/index.ts'
import { bundledCommand } from '../bundled-program.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import type { Serving } from './serving.ts'
import { post } from './setting.ts'

interface Said {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

const user = (content: string): Said => ({ role: 'user', content })
const answer = (content: string): Said => ({ role: 'assistant', content })

let served: ServedCommands
let command: string
let serving: Serving
/** What the servers printed that have ended. */
let printed = ''

beforeAll(async () => {
  command = await bundledCommand()
  served = await serveCommands()
  serving = await served.start('heard.db')
}, 120_000)
afterAll(() => served.stop())

const file = (): string => path.join(served.folder, 'heard.db')

async function send(session: string, ...messages: readonly Said[]): Promise<void> {
  const body = JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    tools: [{ name: 'Look', input_schema: { type: 'object' } }],
    messages,
  })
  const headers = { 'x-session-id': session, 'x-api-key': 'k' }
  expect((await post(`${serving.url}/v1/messages`, body, headers)).status).toBe(200)
}

/** Everything that the user was heard to say, in order. */
function heard(): readonly string[] {
  const memory = new Memory({
    log: openSqliteLog(file()),
    now: Date.now,
    newId: () => expect.unreachable(),
  })
  const texts = [...memory.state.heard.values()].flatMap(({ role, text }) =>
    role === 'user' ? [text] : [],
  )
  memory.close()
  return texts
}

/** What was heard is read behind the request. */
const isHeard = (text: string): Promise<void> =>
  vi.waitFor(() => expect(heard()).toContain(text), { timeout: 10_000 })

/** The lines about the memory that all servers printed. */
const remembered = (): readonly string[] =>
  `${printed}${serving.errors}`.split('\n').filter((line) => line.startsWith('remembered:'))

function palimpsest(
  ...args: readonly string[]
): Promise<{ readonly out: string; readonly err: string }> {
  const env = { ...process.env, PALIMPSEST_HOME: served.folder, HOME: served.folder }
  const all = [command, ...args, '--store', file()]
  return new Promise((resolve) => {
    execFile(process.execPath, all, { env, cwd: served.folder }, (_, out, err) =>
      resolve({ out, err }),
    ).stdin?.end()
  })
}

const memory = (...args: readonly string[]): ReturnType<typeof palimpsest> =>
  palimpsest('memory', ...args, '--project', 'unknown')

const npm = 'We use npm here.'
const pnpm = 'We switched to pnpm.'
const trunk = 'Our default branch is called trunk.'
const german = 'From now on, always answer in German.'
const summary =
  'Another language model started to solve this problem and produced a summary of its work. We use yarn.'

describe('a conversation of several turns', () => {
  const story = [user(npm), answer('Noted.'), user(pnpm)]

  it('is heard once: with a retry, a fork, a killed server and a compacted history', async () => {
    await send('s', user(npm))
    await isHeard(npm)
    await send('s', ...story)
    await send('s', ...story)
    await isHeard(pnpm)
    await send('fork', ...story, answer('Done.'), user(trunk))
    await isHeard(trunk)
    await vi.waitFor(() => expect(remembered()).toHaveLength(3))
    printed += serving.errors
    await serving.end('SIGKILL')
    serving = await served.start('heard.db')
    await send('s', ...story)
    // What the user said stays in the compacted history, and the agent's summary takes the place of the rest.
    await send('s', user(npm), user(pnpm), user(summary))
    await send('s', user(npm), user(pnpm), user(summary), answer('Go on?'), user(german))
    await isHeard(german)
    expect(heard()).toEqual([npm, pnpm, trunk, german])
    await vi.waitFor(() => expect(remembered()).toHaveLength(4))
    expect(remembered()).toEqual([
      expect.stringMatching(/^remembered: package manager npm · undo [0-9a-f]{8}$/),
      expect.stringMatching(/^remembered: package manager pnpm \(was npm\) · undo [0-9a-f]{8}$/),
      expect.stringMatching(/^remembered: default branch trunk · undo [0-9a-f]{8}$/),
      expect.stringMatching(/^remembered: .*German.* · undo [0-9a-f]{8}$/),
    ])
  }, 60_000)

  it('shows in watch what was remembered from it, and in the log all of it', async () => {
    const { out: watched } = await palimpsest('watch', 's', '--once')
    expect(watched.split('\n').filter((line) => line.startsWith('remembered:'))).toEqual(
      remembered().filter((line) => !line.includes('trunk')),
    )
    const { out: log } = await memory('log')
    for (const line of remembered()) expect(log).toContain(line)
    expect(log).toContain(`“${pnpm}”`)
  }, 60_000)

  it('is taken back by the first characters of an id', async () => {
    const [, id = ''] = /pnpm \(was npm\) · undo (\w+)/.exec(remembered().join('\n')) ?? []
    await memory('undo', id.slice(0, 5))
    const { out } = await memory('list')
    expect(out).toContain('npm')
    expect(out).not.toContain('pnpm')
  }, 60_000)

  it('says what forget would remove, removes nothing unasked, and removes it from every copy', async () => {
    const { err } = await memory('forget', '--search', 'trunk')
    expect(err).toContain(`- ${trunk}`)
    expect(err).toContain('--yes')
    expect(heard()).toContain(trunk)
    const { out } = await memory('forget', '--search', 'trunk', '--yes')
    expect(out).toMatch(/^forgotten: \w+/)
    expect(out).toContain('removed from session fork')
    expect(heard()).toEqual([npm, pnpm, german])
  }, 60_000)
})
