import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundledCommand } from '../bundled-program.ts'
import { type RecordingUpstream, startRecordingUpstream } from './recording-upstream.ts'
import { type Serving, serve } from './serving.ts'
import { post } from './setting.ts'
import { paths, storyBodies, storyMessages } from './story.ts'

/** Everything that a shell could stumble over. */
const scratch = mkdtempSync(path.join(tmpdir(), "palimpsest it's $HOME "))
const home = path.join(scratch, 'own folder')
const store = path.join(scratch, 'a store.db')
let upstream: RecordingUpstream
let serving: Serving
/** What the placeholders of the last request say, and what they stand for. */
let commands: readonly string[]

const hint = /('[^\n]*restore-[0-9a-f]{6}') ([0-9a-f]{6,})/

beforeAll(async () => {
  mkdirSync(home)
  upstream = await startRecordingUpstream()
  serving = await serve({ command: await bundledCommand(), store, home, upstream: upstream.url })
  const tools = [{ name: 'Bash', input_schema: { type: 'object' } }]
  for (const body of storyBodies('anthropic')) {
    const told = JSON.stringify({ ...(JSON.parse(body) as object), tools })
    await post(`${serving.url}${paths.anthropic}`, told, { 'x-session-id': 's' })
  }
  const { messages } = JSON.parse(String(upstream.received.at(-1)?.body)) as {
    messages: { content: { content?: string }[] }[]
  }
  commands = messages.flatMap(({ content }) =>
    content.flatMap(({ content: result }) => hint.exec(result ?? '')?.[0] ?? []),
  )
}, 120_000)

afterAll(async () => {
  await serving.end('SIGKILL')
  await upstream.stop()
  rmSync(scratch, { recursive: true, force: true })
})

const originals = storyMessages()
  .at(-1)!
  .flatMap(({ items }) => items.map(({ text }) => text))

/** A shell of an agent: nothing called palimpsest or node is in its search path. */
function run(command: string, around: readonly string[] = []): ReturnType<typeof spawnSync> {
  const [program = '', ...args] = [...around, '/bin/sh', '-c', command]
  return spawnSync(program, args, {
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' },
  })
}

/** Has everything that we keep stand where nothing can be written. */
const readOnly = [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
  '--mount',
  'sh',
  '-c',
  'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"',
  scratch,
]

it('names a command that prints the original, without anything in the search path', () => {
  expect(commands.length).toBeGreaterThan(2)
  for (const command of commands.slice(0, 3)) {
    const { status, stdout, stderr } = run(command)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(originals).toContain(stdout)
  }
}, 120_000)

it('is a script for its owner alone, and one of its kind', () => {
  const [script = '', ...others] = readdirSync(home).filter((name) => name.startsWith('restore'))
  expect(others).toEqual([])
  expect(statSync(path.join(home, script)).mode & 0o777).toBe(0o700)
})

it('works in a sandbox that writes nothing, while the gateway runs and after it has ended', async () => {
  const [command = ''] = commands
  expect(run(`touch '${home.replaceAll("'", "'\\''")}/x'`, readOnly).status).not.toBe(0)
  const live = run(command, readOnly)
  expect({ status: live.status, stderr: live.stderr }).toEqual({ status: 0, stderr: '' })
  expect(originals).toContain(live.stdout)
  await serving.end('SIGTERM')
  const ended = run(command, readOnly)
  expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status: 0, stderr: '' })
  expect(ended.stdout).toBe(live.stdout)
}, 120_000)
