import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type CapturedRun, captureRun } from '../../test/captured-run.ts'
import { readRecording } from '../recordings/read-recording.ts'
import { sessionFor } from '../replay/recorded-session.ts'
import { sessionDecisions } from '../replay/session-decisions.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-session-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command line in the folder of this test. */
function palimpsest(...args: string[]): Promise<CapturedRun> {
  return captureRun(args, { cwd: folder })
}

const cwd = '/home/dev/app'
const line = (value: object): string => `${JSON.stringify({ sessionId: 's', cwd, ...value })}\n`
const say = (id: string, content: string): string =>
  line({ type: 'user', uuid: id, message: { role: 'user', content } })

interface ToldCall {
  readonly name: string
  readonly input: object
  readonly output: string
  readonly failed?: true
}

function call(id: string, { name, input, output, failed }: ToldCall): string {
  const content = [{ type: 'tool_use', id, name, input }]
  const model = 'claude-opus-4-5'
  const message = { id: `m-${id}`, role: 'assistant', model, content }
  const result = {
    type: 'tool_result',
    tool_use_id: id,
    content: output,
    ...(failed && { is_error: true }),
  }
  return [
    line({ type: 'assistant', uuid: `a-${id}`, message }),
    line({ type: 'user', uuid: `u-${id}`, message: { role: 'user', content: [result] } }),
  ].join('')
}

const source = (name: string): string =>
  Array.from({ length: 30 }, (_, at) => `${at + 1}\tconst ${name}${at} = compute(${at})`).join('\n')
const file = (name: string): string => `${cwd}/src/${name}`
const read = { name: 'Read', input: { file_path: file('a.ts') }, output: source('a') }
const edit = (from: string, to: string, intent?: string): ToldCall => ({
  name: 'Edit',
  input: { file_path: file('a.ts'), old_string: from, new_string: to, ...(intent && { intent }) },
  output: 'updated',
})
const session = [
  say('u0', 'rename it'),
  call('call_1', read),
  call('call_2', edit('const a3 = compute(3)', 'const b3 = compute(3)', 'Name it after b')),
  call('call_3', edit('const a4 = compute(4)', 'const b4 = compute(4)')),
  call('call_4', { ...edit('const zz', 'const yy', 'never happened'), failed: true }),
  call('call_5', {
    name: 'Write',
    input: { file_path: file('new.ts'), content: 'export {}\n' },
    output: 'created',
  }),
  call('call_6', { name: 'Bash', input: { command: 'rm src/old.ts' }, output: '' }),
  call('call_7', { name: 'Bash', input: { command: 'true' }, output: '' }),
].join('')
const recording = path.join(folder, 'session.jsonl')
writeFileSync(recording, session)

const handleOf = (log: string, pattern: RegExp): string => pattern.exec(log)?.[1] ?? 'none'

describe('stats', () => {
  it('prints the log, the table and the status line', async () => {
    const { code, out, err } = await palimpsest('stats', recording, '--preset', 'acp', '--log')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(
      `[auto-supersede] 📁 file ${file('a.ts')}: read call_1 superseded by edit\n`,
    )
    expect(out).toMatch(/\nStrategy Effectiveness:\n─{60}\n {2}Auto-Supersede {9}\d prunes, ~\d+ /)
    expect(out).toMatch(/\n「 ⚙️ \d\(\d+\) ▼ 」\n$/)
  })

  it('takes a file of ACP as it is, with one warning for what means nothing here', async () => {
    const config = path.join(folder, 'acp.jsonc')
    writeFileSync(config, '{ "debug": true, "pruneNotification": "off" }')
    const named = await palimpsest('stats', recording, '--config', config)
    expect([named.code, named.err]).toEqual([
      0,
      `these keys have no meaning here and are ignored: debug (${config})\n`,
    ])
    expect(named.out).toBe((await palimpsest('stats', recording, '--preset', 'acp')).out)
  })

  it('gives the statistics as they are documented, each item once', async () => {
    const { out } = await palimpsest('stats', recording, '--preset', 'acp', '--json')
    const { strategyStats, preset, pruned, statusLine } = JSON.parse(out)
    expect(preset).toBe('acp')
    // A read and a write of the same file.
    expect(strategyStats.autoSupersede.file).toEqual({
      count: 2,
      tokens: expect.any(Number),
      applied: 2,
    })
    expect(strategyStats.autoSupersede.file.tokens).toBeGreaterThan(100)
    expect(Object.keys(strategyStats.autoSupersede)).toEqual([
      ...['hash', 'file', 'todo', 'url', 'search', 'query', 'snapshot', 'retry', 'context'],
    ])
    expect(pruned.tools.count).toBeGreaterThan(0)
    expect(statusLine).toContain('⚙️')
  })

  it('has nothing to tell when nothing is done', async () => {
    const { code, out } = await palimpsest('stats', recording, '--preset', 'off')
    expect(code).toBe(0)
    expect(out).toContain('no prunes yet')
    expect(out).not.toContain('「')
  })

  it('counts in the status line only what a request has shown so', async () => {
    const { out } = await palimpsest('stats', recording, '--preset', 'dcp', '--json')
    const { strategyStats, pruned, statusLine } = JSON.parse(out)
    expect(strategyStats.autoSupersede.file).toMatchObject({ count: 1, applied: 0 })
    const none = { count: 0, tokens: 0 }
    expect(pruned).toEqual({ messages: none, thinking: none, tools: none })
    expect(statusLine).toBe(null)
    expect((await palimpsest('stats', recording, '--preset', 'dcp')).out).not.toContain('「')
  })

  it('refuses a preset that it does not know', async () => {
    expect(await palimpsest('stats', recording, '--preset', 'wild')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('balanced'),
    })
  })
})

describe('explain', () => {
  async function readHandle(): Promise<string> {
    const { out } = await palimpsest('replay', recording, '--trace', '--preset', 'acp')
    return handleOf(out, /"how":"superseded"[^\n]*?"handle":"(\w+)"[^\n]*"reason":"file"/)
  }

  it('tells when an item was shown, what replaced it, why, and how to get it back', async () => {
    const handle = await readHandle()
    const { code, out } = await palimpsest('explain', recording, handle, '--preset', 'acp')
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^${handle}  result of Read call_1, turn 1, \\d+ tokens\n`))
    expect(out).toMatch(/ {2}turn 2 +in full\n/)
    expect(out).toMatch(
      / {2}turns 3–7 +superseded because of file \(files\), replaced by \w+ edit .*a\.ts at turn 2\n/,
    )
    expect(out).toMatch(/\nreplaced by: \w+ edit .* at turn 2\n/)
    expect(out.trimEnd().split('\n').at(-1)).toBe(`get it back: context_restore ${handle}`)
  })

  it('gives the same as one JSON value, and the original by itself', async () => {
    const handle = await readHandle()
    const life = await palimpsest('explain', recording, handle, '--preset', 'acp', '--json')
    const { item, spans, replacedBy, restore } = JSON.parse(life.out)
    expect(item).toMatchObject({ handle, kind: 'result', tool: 'Read', call: 'call_1', turn: 1 })
    expect(spans).toEqual([
      { from: 2, to: 2, shown: 'full', text: null, decision: null },
      {
        from: 3,
        to: 7,
        shown: 'superseded',
        text: expect.stringContaining(`context_restore ${handle}`),
        decision: { reason: 'file', strategy: 'files', by: replacedBy[0].handle },
      },
    ])
    expect(replacedBy[0]).toMatchObject({ tool: 'Edit', call: 'call_2' })
    expect(restore).toBe(`context_restore ${handle}`)
    const original = await palimpsest('explain', recording, handle, '--original')
    expect(original.out).toBe(source('a'))
    const newer = await palimpsest(
      ...['explain', recording, replacedBy[0].handle, '--preset', 'acp', '--json'],
    )
    expect(JSON.parse(newer.out).replaces).toMatchObject([{ handle }])
  })

  it('says that nothing happened to an item that is shown as it was', async () => {
    const handle = await readHandle()
    const { out } = await palimpsest('explain', recording, handle, '--preset', 'off')
    expect(out).toMatch(/turns 2–7 +in full\n/)
    expect(out).toContain('it was always shown in full')
  })

  it('tells of a step marker that it was left out', async () => {
    const sample = path.resolve(import.meta.dirname, '../../examples/sample-session.json')
    const [recording] = (await readRecording([readFileSync(sample)])).recordings
    const session = sessionFor(recording!, {
      config: { preset: 'acp', toolMappings: [], warnings: [] },
    })
    const { items } = sessionDecisions(recording!, session)
    const marker = items.find(({ item }) => item.kind === 'marker')
    const handle = marker?.item.handle ?? ''
    const { out } = await palimpsest('explain', sample, handle, '--preset', 'acp')
    expect(out).toMatch(/marker, turn 1, 0 tokens\n {2}step-/)
    expect(out).toMatch(/turns \d+–45 +left out because of marker \(pruneStepMarkers\)\n/)
    expect(out).toContain(`get it back: context_restore ${handle}`)
  })

  it('exits with 1 and names the nearest when no item has the handle', async () => {
    const handle = await readHandle()
    const wrong = `${handle.slice(0, -1)}${handle.endsWith('0') ? '1' : '0'}`
    const { code, out, err } = await palimpsest('explain', recording, wrong)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`no item ${wrong}`)
    expect(err).toContain(handle)
    const json = await palimpsest('explain', recording, wrong, '--json')
    expect([json.code, JSON.parse(json.out)]).toEqual([
      1,
      { item: null, handle: wrong, nearest: handle },
    ])
  })
})

describe('changelog', () => {
  it('lists the changes of each file by their intents, or by what was done', async () => {
    const { code, out, err } = await palimpsest('changelog', recording)
    expect([code, err]).toEqual([0, ''])
    expect(out.trimEnd().split('\n')).toEqual([
      '- src/a.ts: Name it after b (turn 2)',
      '- src/a.ts: const a4 = compute(4) → const b4 = compute(4) (turn 3)',
      '- src/new.ts: wrote the whole file (turn 5)',
      '- src/old.ts: deleted (turn 6)',
    ])
  })

  it('gives one JSON list, file by file', async () => {
    const { out } = await palimpsest('changelog', recording, '--json')
    const changed = JSON.parse(out)
    expect(changed.map((each: { path: string }) => each.path)).toEqual([
      file('a.ts'),
      file('new.ts'),
      file('old.ts'),
    ])
    expect(changed[0].changes).toEqual([
      {
        turn: 2,
        handle: expect.stringMatching(/^[0-9a-f]{6,}$/),
        intent: 'Name it after b',
        summary: 'Name it after b',
      },
      {
        turn: 3,
        handle: expect.any(String),
        intent: null,
        summary: 'const a4 = compute(4) → const b4 = compute(4)',
      },
    ])
  })

  it('says so when no file was changed', async () => {
    const quiet = path.join(folder, 'quiet.jsonl')
    writeFileSync(quiet, [say('u0', 'look'), call('call_1', read)].join(''))
    expect(await palimpsest('changelog', quiet)).toMatchObject({
      code: 0,
      out: 'no file was changed\n',
    })
  })
})

describe('help', () => {
  it('has examples and --json for every command', async () => {
    for (const command of ['stats', 'explain', 'changelog']) {
      const { code, out } = await palimpsest(command, '--help')
      expect([command, code]).toEqual([command, 0])
      expect(out).toContain('Examples:')
      expect(out).toContain('--json')
    }
    for (const args of [['explain', recording], ['stats'], ['changelog', 'nowhere']]) {
      expect(await palimpsest(...args)).toMatchObject({ code: 2, out: '' })
    }
  })
})

describe('timeline', () => {
  const changed = source('a')
    .split('\n')
    .map((each) => each.replace(/^\d+\t/, ''))
  const recorded = [
    say('u0', 'rename it'),
    call('t1', read),
    call('t2', edit('const a3 = compute(3)', 'const b3 = compute(3)')),
    call('t3', { name: 'Bash', input: { command: 'git checkout other' }, output: '' }),
  ].join('')

  it('prints a file to the byte as it was after a turn, and exits with 1 when that is not known', async () => {
    const name = path.join(folder, 'timeline.jsonl')
    writeFileSync(name, recorded)
    const before = `${changed.join('\n')}\n`
    const after = before.replace('const a3 =', 'const b3 =')
    expect(await palimpsest('timeline', name, 'src/a.ts', '--at', '1')).toEqual({
      code: 0,
      out: before,
      err: '',
    })
    expect(await palimpsest('timeline', name, file('a.ts'), '--at', '2')).toEqual({
      code: 0,
      out: after,
      err: '',
    })
    expect(await palimpsest('timeline', name, 'src/a.ts', '--at', '3')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('is only partly known at turn 3'),
    })
    expect(await palimpsest('timeline', name, 'src/other.ts', '--at', '1')).toMatchObject({
      code: 1,
      out: '',
    })
    for (const late of ['4', '1e3']) {
      expect(await palimpsest('timeline', name, 'src/a.ts', '--at', late)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('the session made 3 requests'),
      })
    }
    for (const wrong of ['noon', '0', '-1', '1.5', '']) {
      expect(await palimpsest('timeline', name, 'src/a.ts', `--at=${wrong}`)).toMatchObject({
        code: 2,
        out: '',
      })
    }
  })

  it('counts the lines of a file whose text it prints whole', async () => {
    const name = path.join(folder, 'timeline-whole.jsonl')
    writeFileSync(name, recorded)
    const { entries } = JSON.parse((await palimpsest('timeline', name, 'src/a.ts', '--json')).out)
    expect(entries[0]).toMatchObject({ turn: 1, knownLines: 30, lineCount: 30 })
    expect((await palimpsest('timeline', name, 'src/a.ts')).out).toContain('30 of 30')
  })

  it('lists what happened to a file', async () => {
    const name = path.join(folder, 'timeline-list.jsonl')
    writeFileSync(name, recorded)
    const { entries } = JSON.parse((await palimpsest('timeline', name, 'src/a.ts', '--json')).out)
    expect(entries.slice(0, 2)).toMatchObject([
      { turn: 1, kind: 'read', knownLines: expect.any(Number), exists: true },
      { turn: 2, kind: 'edit', exists: true },
    ])
    expect((await palimpsest('timeline', name, 'src/a.ts')).out).toMatch(/2 +edit/)
    expect(await palimpsest('timeline', name, 'a.ts')).toEqual(
      await palimpsest('timeline', name, 'src/a.ts'),
    )
  })
})
