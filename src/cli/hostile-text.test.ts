import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CapturedRun, captureRun } from '../../test/captured-run.ts'
import { storeRecording } from '../replay/store-recording.ts'
import { openStore } from '../store/index.ts'
import { openRecording } from './recording-files.ts'
import { visible } from './visible-text.ts'

/** Sets the clipboard and the title, moves the cursor, clears, hides, colours, and turns text around. */
const codes = [
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001b]0;title\u001b\\',
  '\u001b[2J\u001b[1;1H',
  '\u001b[31m\u001b[8m',
  '\u009b2J\u009d0;title\u009c\u0090q',
  '\r\b\u007f\u0001',
  '\u202eevil\u2066',
].join('')
const hostile = (word: string): string => `${word}${codes}${word}`

const cwd = `/home/${hostile('dev')}`
const app = `${cwd}/app.ts`
const line = (value: object): string =>
  `${JSON.stringify({ sessionId: hostile('session'), cwd, gitBranch: hostile('branch'), ...value })}\n`
const call = (id: string, name: string, input: object): string =>
  line({
    type: 'assistant',
    uuid: `a-${id}`,
    timestamp: '2026-01-05T10:00:01.000Z',
    message: {
      id: `m-${id}`,
      role: 'assistant',
      model: hostile('model'),
      content: [{ type: 'tool_use', id, name, input }],
    },
  })
const result = (id: string, content: string, isError = false): string =>
  line({
    type: 'user',
    uuid: `u-${id}`,
    timestamp: '2026-01-05T10:00:02.000Z',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }],
    },
  })
const text = hostile('const a = 1')
const recording = [
  line({
    type: 'user',
    uuid: 'u0',
    timestamp: '2026-01-05T10:00:00.000Z',
    message: { role: 'user', content: hostile('rename it') },
  }),
  call('t1', 'Write', { file_path: app, content: text }),
  result('t1', 'written'),
  call('t2', 'Read', { file_path: app }),
  result('t2', `1\t${text}`),
  call('t3', 'Edit', {
    file_path: app,
    old_string: 'const a',
    new_string: hostile('const b'),
    intent: hostile('intent'),
  }),
  result('t3', 'updated'),
  call('t4', 'Bash', { command: hostile('npm test'), description: hostile('describe') }),
  result('t4', hostile('exit 1'), true),
  call('t5', hostile('tool'), { any: hostile('input') }),
  result('t5', hostile('result')),
  call('t6', 'Read', { file_path: app }),
  result('t6', `1\t${text}`),
  `{"broken": "${'\u009b'}2J\n`,
].join('')

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-hostile-'))
const file = path.join(folder, hostile('session').replaceAll('/', ''))
const store = path.join(folder, 'store.db')
const body = path.join(folder, 'body.json')
let handle: string
let item: string

async function run(args: readonly string[], isTerminal: boolean): Promise<CapturedRun> {
  return captureRun(args, { cwd: folder, home: path.join(folder, 'home'), isTerminal, stepMs: 400 })
}

beforeAll(async () => {
  mkdirSync(path.join(folder, 'home'))
  writeFileSync(file, recording)
  const message = { role: hostile('role'), content: [{ type: hostile('type') }] }
  writeFileSync(body, JSON.stringify({ model: hostile('m'), max_tokens: 1, messages: [message] }))
  const opened = await openStore({ kind: 'sqlite', path: store })
  const { recordings } = await openRecording(file)
  for (const each of recordings)
    await storeRecording(opened, each, { preset: 'acp', toolMappings: [], warnings: [] })
  await opened.close()
  handle = await handleOfResult()
  for (const tool of ['go', 'rust'])
    await run(['memory', 'add', 'preference', hostile('editor'), 'key', hostile(tool)], false)
  await run(['memory', 'add', 'decision', hostile('We use PostgreSQL for sessions')], false)
  const listed = await run(['memory', 'list', '--json'], false)
  item = (JSON.parse(listed.out) as readonly { id: string }[])[0]?.id ?? ''
})
/** Of a result that was left out, with something hostile in it. */
async function handleOfResult(): Promise<string> {
  const { out } = await run(['replay', file, '--trace', '--preset', 'acp'], false)
  const lines = out.trimEnd().split('\n')
  const traced = lines.map((each) => JSON.parse(each) as Record<string, unknown>)
  const results = traced.filter(({ kind, text: said }) => kind === 'result' && said !== 'updated')
  const found = traced.find(
    (each) => each.handle !== undefined && results.some(({ i }) => i === each.i),
  )
  return String(found?.handle)
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every command that prints what others wrote. */
const commands: readonly (readonly [name: string, args: () => readonly string[]])[] = [
  ['inspect', () => ['inspect', file]],
  ['inspect of a folder', () => ['inspect', folder]],
  ['inspect --json', () => ['inspect', file, '--json']],
  ['replay', () => ['replay', file]],
  ['replay --trace', () => ['replay', file, '--trace']],
  ['stats', () => ['stats', file]],
  ['compare', () => ['compare', file]],
  ['explain', () => ['explain', file, handle, '--preset', 'acp']],
  ['explain --original', () => ['explain', file, handle, '--original']],
  ['explain of nothing', () => ['explain', file, 'ffffff']],
  ['changelog', () => ['changelog', file]],
  ['changelog --json', () => ['changelog', file, '--json']],
  ['timeline', () => ['timeline', file, app]],
  ['timeline --at', () => ['timeline', file, app, '--at', '2']],
  ['timeline --at --json', () => ['timeline', file, app, '--at', '2', '--json']],
  ['timeline of nothing', () => ['timeline', file, hostile('nowhere')]],
  ['validate', () => ['validate', body, '--format', 'anthropic']],
  ['sessions', () => ['sessions', '--store', store]],
  ['sessions --json', () => ['sessions', '--store', store, '--json']],
  ['restore', () => ['restore', handle, '--store', store]],
  ['restore --json', () => ['restore', handle, '--store', store, '--json']],
  ['store export', () => ['store', 'export', '--store', store]],
  ['memory list', () => ['memory', 'list', '--all']],
  ['memory list --json', () => ['memory', 'list', '--all', '--json']],
  ['memory get', () => ['memory', 'get', item]],
  ['memory search', () => ['memory', 'search', 'sessions']],
  ['memory history', () => ['memory', 'history', item]],
  ['memory patterns', () => ['memory', 'patterns']],
  ['memory context', () => ['memory', 'context']],
  ['memory export', () => ['memory', 'export', '--format', 'markdown']],
  ['memory export of records', () => ['memory', 'export', '--format', 'adr']],
  ['memory learn', () => ['memory', 'learn', file, '--json']],
  ['a file that is not there', () => ['replay', hostile('nothing')]],
  ['a command that is none', () => [hostile('command')]],
  ['an option that is none', () => ['replay', `--${hostile('option')}`]],
]

const ours = [1, 2, 22, 31, 32, 33, 36, 39].map((code) => `\u001b[${code}m`)
const withoutOurs = (said: string): string =>
  ours.reduce((rest, code) => rest.replaceAll(code, ''), said)
const steering = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

describe.each([
  ['a terminal', true],
  ['a pipe', false],
] as const)('on %s, what others wrote does not steer it', (_, isTerminal) => {
  it.each(commands)('in %s', async (name, args) => {
    const { out, err } = await run(args(), isTerminal)
    const isExact = /--original|--at$|restore$|context|memory export/.test(name) && !isTerminal
    const printed = isExact ? err : out + err
    expect(withoutOurs(printed)).not.toMatch(steering)
    // It has something to show, or the test would prove nothing.
    const shown = isTerminal ? printed : out + err
    if (!silent.includes(name)) expect(shown).toMatch(isExact ? steering : /\\u00(1b|9b)/)
  })
})

/** Commands whose output has nothing foreign in it here. */
const silent = ['memory patterns', 'memory learn']

describe('on a terminal', () => {
  it('colours of ours stay, and colours of a recording do not', async () => {
    const { out } = await run(['replay', file], true)
    expect(out).toContain(`\u001b[36m> ${visible(hostile('rename it')).slice(0, 20)}`)
    expect(out).toContain('\\u001b[31m\\u001b[8m')
  })

  it('an original is told to have been changed, and is not in a pipe', async () => {
    const args = ['timeline', file, app, '--at', '2']
    const [shown, piped] = [await run(args, true), await run(args, false)]
    expect([shown.out, piped.out]).toEqual([visible(text), text])
    expect(shown.err).toContain('redirect the output')
    expect(piped.err).not.toContain('redirect the output')
  })
})

describe('JSON', () => {
  it('is the value that it was', async () => {
    const { out } = await run(['timeline', file, app, '--at', '2', '--json'], true)
    expect(JSON.parse(out)).toEqual({ text })
  })
})

describe('the commands', () => {
  it('write through one place', () => {
    const own = ['terminal.ts', 'progress.ts', 'program.ts', 'main.ts']
    const direct = readdirSync(import.meta.dirname)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !own.includes(name))
      .filter((name) =>
        /\b(out|err|stdout|stderr)\.write\((?!')|console\./.test(
          readFileSync(path.join(import.meta.dirname, name), 'utf8'),
        ),
      )
    expect(direct).toEqual([])
  })
})
