import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundledProgram } from '../bundled-program.ts'
import { captureRun } from '../captured-run.ts'
import { canMount } from './mounting.ts'
import type { CommandOutcome, CommandToRun } from './run-commands.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest unusable '))
const inFolder = (name: string): string => path.join(folder, name)
const secret = 'geheim17'

/** Every command that opens a store, with what it needs beside that. */
const everyCommand: readonly (readonly string[])[] = [
  ['serve', '--port', '0'],
  ['mcp'],
  ['restore', 'abc123'],
  ['sessions'],
  ['inspect', inFolder('recording.jsonl')],
  ['replay', inFolder('recording.jsonl')],
  ['stats', inFolder('recording.jsonl')],
  ['report', 'a-session'],
  ['explain', 'a-session', 'abc123'],
  ['timeline', 'a-session', 'a.ts'],
  ['changelog', 'a-session'],
  ['gain'],
  ['watch', '--once'],
  ['show', 'a-session'],
  ['undo', 'abc123'],
  ['pause', 'a-session'],
  ['resume', 'a-session'],
  ['gc', '--older-than', '1d'],
  ['token', 'create', 'ana'],
  ['token', 'list'],
  ['token', 'revoke', 'ana'],
  ['purge', '--yes'],
  // What follows the agent's name belongs to the agent, so that the store stands before it.
  ['run'],
  ['store', 'check'],
  ['store', 'migrate'],
  ['store', 'encrypt'],
  ['store', 'export'],
  ['store', 'import', inFolder('sessions.jsonl')],
  ['memory', 'add', 'fact', 'likes tea'],
  ['memory', 'list'],
  ['memory', 'get', 'fact_1'],
  ['memory', 'search', 'tea'],
  ['memory', 'history', 'fact_1'],
  ['memory', 'log'],
  ['memory', 'patterns'],
  ['memory', 'check'],
  ['memory', 'supersede', 'fact_1', 'fact_2'],
  ['memory', 'retract', 'fact_1'],
  ['memory', 'undo', 'fact_1'],
  ['memory', 'forget', 'fact_1'],
  ['memory', 'review'],
  ['memory', 'observe'],
  ['memory', 'learn', inFolder('recording.jsonl'), '--yes'],
  ['memory', 'context'],
  ['memory', 'export'],
  ['memory', 'import', inFolder('memory.jsonl')],
]

/** They run inside another program's screen or request, so they answer and never fail. */
const neverFailing: readonly (readonly string[])[] = [['statusline'], ['hook'], ['memory', 'hook']]

/** It reports what is wrong as one of its findings. */
const reporting: readonly (readonly string[])[] = [['doctor']]

interface Unusable {
  readonly name: string
  readonly store: string
  readonly says: RegExp
}

const unusable: readonly Unusable[] = [
  {
    name: 'a folder that the system does not let anybody make',
    store: '/proc/nope/x',
    says: /\/proc\/nope\/x: its folder does not exist and cannot be created; |there is no store at/,
  },
  {
    name: 'a path through a file',
    store: '/etc/passwd/x',
    says: /\/etc\/passwd\/x: a part of the path is a file, not a folder; |there is no store at/,
  },
  {
    name: 'a file that is not SQLite',
    store: inFolder('prose.db'),
    says: /prose\.db: the file is not a SQLite database; name another with --store/,
  },
  {
    name: 'a link to nowhere',
    store: inFolder('dangling.db'),
    says: /dangling\.db: its folder does not exist and cannot be created; |there is no store at/,
  },
  {
    name: 'an empty name',
    store: '',
    says: /the name of the store is empty: give a file, a folder, or a postgres:\/\/ URL/,
  },
  {
    name: 'a scheme that nobody knows',
    store: `mysql://me:${secret}@db/x`,
    says: /mysql:\/\/ is not a store: give a file, a folder, or a postgres:\/\/ URL/,
  },
  {
    name: 'a port where nobody listens',
    store: `postgres://me:${secret}@127.0.0.1:1/none`,
    says: /postgres:\/\/me@127\.0\.0\.1:1\/none: the connection failed; check host and port/,
  },
]

const malformed: readonly Unusable[] = [
  `postgres://me:${secret}@db:port/x`,
  `postgres://me:ab/${secret}@db/x`,
  `postgres://me:12/${secret}@db/x`,
  `postgres://me:12#${secret}@db/x`,
  `postgres://me:12?${secret}@db/x`,
  `postgres://me:%ff${secret}@db/x`,
  `postgres://me:${secret}@:5432/x`,
  `postgres:me:${secret}@db/x`,
  'postgres://[::1',
].map((store) => ({
  name: store,
  store,
  says: /the PostgreSQL URL of the store is malformed: write postgres:\/\/user:password@host/,
}))

const readOnly: Unusable = {
  name: 'a file system without writes',
  store: inFolder('mounted/new/store.db'),
  says: /store\.db: the file system is read-only; choose another place|there is no store at/,
}

const forbidden: readonly Unusable[] = ['forbidden/store.db', 'forbidden/new/store.db'].map(
  (name) => ({
    name: `${name} of another user`,
    store: inFolder(name),
    says: /store\.db: there is no permission to write there; choose another|there is no store at/,
  }),
)

/** On a busy machine, work takes many times its processor time; waiting for a timeout takes none. */
const busyFactor = 30

let program = ''

beforeAll(async () => {
  program = await bundledProgram('test', 'store', 'run-commands.ts')
  chmodSync(folder, 0o755)
  writeFileSync(inFolder('prose.db'), 'this is no database, '.repeat(100))
  symlinkSync(inFolder('nowhere/store.db'), inFolder('dangling.db'))
  mkdirSync(inFolder('forbidden'), { mode: 0o755 })
  mkdirSync(inFolder('mounted'))
  writeFileSync(inFolder('sessions.jsonl'), '{"kind":"palimpsest-store","version":1}\n')
  writeFileSync(inFolder('memory.jsonl'), '')
  const message = { role: 'user', content: 'We use pnpm here.' }
  writeFileSync(
    inFolder('recording.jsonl'),
    `${JSON.stringify({ type: 'user', uuid: '1', message })}\n`,
  )
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface RunOptions {
  /** The user to run as. */
  readonly userId?: number | null
  /** A command that it is started by, with its first arguments. */
  readonly wrap?: readonly string[]
  readonly commands?: readonly (readonly string[])[]
  /** How long each may take. */
  readonly mostMs?: number
}

/** Runs all commands with all these stores in one process, which may not take longer than it takes to hang. */
async function outcomes(
  stores: readonly Unusable[],
  { userId = null, wrap = [], commands = everyCommand }: RunOptions = {},
): Promise<readonly (CommandOutcome & { readonly run: string; readonly says: RegExp })[]> {
  const cases = stores.flatMap((each) => commands.map((command) => ({ ...each, command })))
  const list: readonly CommandToRun[] = cases.map(({ command, store }) => ({
    args: [...command, '--store', store, ...(command[0] === 'run' ? ['true'] : [])],
    cwd: folder,
  }))
  const args = [process.execPath, program, JSON.stringify(list), JSON.stringify(userId)]
  const [command = '', ...rest] = [...wrap, ...args]
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
    // `store encrypt` asks for a key before it opens the store.
    env: { ...process.env, PALIMPSEST_KEY: 'ab'.repeat(32) },
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  await new Promise((resolve) => child.once('close', resolve))
  const said = out.trim().split('\n')
  return cases.map(({ command: words, name, says }, at) => ({
    run: `${words.join(' ')} on ${name}`,
    says,
    ...(JSON.parse(
      said[at] ?? '{"code":null,"out":"","err":"hangs","elapsedMs":0,"processorMs":0}',
    ) as CommandOutcome),
  }))
}

/** One line that says what to do, the code of a mistake of the user's, at once. */
async function expectRefusals(
  stores: readonly Unusable[],
  options: RunOptions = {},
): Promise<void> {
  const { mostMs = 1_000 } = options
  const wrong = (await outcomes(stores, options)).filter(
    ({ code, out, err, says, elapsedMs, processorMs }) =>
      code !== 2 ||
      out !== '' ||
      !/^palimpsest: [^\n]+\n$/.test(err) ||
      !says.test(err) ||
      err.includes(secret) ||
      elapsedMs > mostMs + busyFactor * processorMs,
  )
  expect(wrong.map(({ run, code, err }) => ({ run, code, err }))).toEqual([])
}

describe('a location that cannot be opened, for every command', () => {
  for (const each of unusable)
    it(`is refused at once with one line: ${each.name}`, () => expectRefusals([each]), 90_000)

  it('is refused at once with one line, without its password: a malformed URL', async () => {
    await expectRefusals(malformed.slice(0, 1))
    // All commands read the location in the same place, so a few of them stand for the others.
    const commands = [
      ['serve', '--port', '0'],
      ['restore', 'abc123'],
      ['memory', 'list'],
    ]
    await expectRefusals(malformed.slice(1), { commands })
  }, 90_000)

  it.skipIf(process.getuid?.() !== 0)(
    'is refused at once with one line: folders of another user [needs root]',
    () => expectRefusals(forbidden, { userId: 65_534 }),
    90_000,
  )

  it.skipIf(!canMount)(
    `is refused at once with one line: ${readOnly.name} [needs unshare]`,
    () => {
      const mount = `mount -t tmpfs -o ro tmpfs '${inFolder('mounted')}' && exec "$0" "$@"`
      const wrap = ['unshare', '--mount', '--map-root-user', 'sh', '-c', mount]
      return expectRefusals([readOnly], { wrap })
    },
    90_000,
  )

  it('is refused once it does not answer: a host that nobody knows, a server that says nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const slow = ['nowhere.invalid', `127.0.0.1:${port}`].map((host) => ({
      name: host,
      store: `postgres://me:${secret}@${host}/none`,
      says: /^palimpsest: the store postgres:\/\/me@[^ ]+\/none: the connection failed; check host/,
    }))
    await expectRefusals(slow, { commands: [['sessions']], mostMs: 7_000 })
    silent.close()
  }, 90_000)

  const exports = [
    ['store', 'export', '/proc/nope/x'],
    ['memory', 'export', '--to', '/proc/nope/x'],
    ['memory', 'export', '--format', 'markdown', '--to', '/etc/passwd/x'],
    ['memory', 'export', '--format', 'adr', '--to', '/proc/nope/x'],
  ]
  it.each(exports.map((words) => ({ words })))(
    'is refused to write to: $words',
    async ({ words }) => {
      const kept = inFolder('kept.db')
      await captureRun(['memory', 'add', 'fact', 'likes tea', '--store', kept], { cwd: folder })
      const { code, out, err } = await captureRun([...words, '--store', kept], { cwd: folder })
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(/^palimpsest: cannot write to \/[^\n]+; choose another path\n$/)
    },
  )

  it.each(unusable)('fails no command inside another program: $name', async (each) => {
    const runs = await outcomes([each], { commands: neverFailing })
    expect(runs.map(({ code }) => code)).toEqual(neverFailing.map(() => 0))
    expect(runs.map(({ err }) => err).join('')).not.toContain(secret)
  })

  it.each(unusable)('is a finding of doctor, without the password: $name', async ({ store }) => {
    const options = { cwd: folder, home: inFolder('home'), userHome: folder }
    const { code, out, err } = await captureRun(['doctor', '--store', store], options)
    expect(code).toBe(1)
    expect(out).toMatch(/^error +/m)
    expect(out + err).not.toContain(secret)
  })

  it('covers every command that takes --store', async () => {
    const help = async (...words: readonly string[]): Promise<string> =>
      (await captureRun([...words, '--help'], { cwd: folder })).out
    const names = async (...words: readonly string[]): Promise<readonly string[]> => {
      const [, list = ''] = (await help(...words)).split('\nCommands:\n')
      return [...list.split('\n\n')[0]!.matchAll(/^ {2}([a-z]+)/gm)]
        .map((found) => found[1] ?? '')
        .filter((name) => name !== 'help')
    }
    const taking: string[] = []
    for (const name of await names()) {
      for (const words of [[name], ...(await names(name)).map((below) => [name, below])])
        if ((await help(...words)).includes('--store <')) taking.push(words.join(' '))
    }
    const covered = [...everyCommand, ...neverFailing, ...reporting].map((words) =>
      words.slice(0, ['store', 'memory', 'token'].includes(words[0] ?? '') ? 2 : 1).join(' '),
    )
    expect(covered.toSorted()).toEqual(taking.toSorted())
  })
})
