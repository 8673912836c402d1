import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type CapturedRun, captureRun } from '../../test/captured-run.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const target = path.join(folder, name)
  writeFileSync(target, text)
  return target
}

/** With a clock that passes 400 ms at every look. */
function palimpsest(...args: string[]): Promise<CapturedRun> {
  return captureRun(args, { cwd: folder, stepMs: 400 })
}

const line = (value: object): string =>
  `${JSON.stringify({ sessionId: 's', cwd: '/home/dev/app', ...value })}\n`
const call = (id: string, name: string, input: object): string =>
  line({
    type: 'assistant',
    uuid: `a-${id}`,
    timestamp: '2026-01-05T10:00:01.000Z',
    message: {
      id: `m-${id}`,
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [{ type: 'tool_use', id, name, input }],
    },
  })
const result = (id: string, content: string, extra: object = {}): string =>
  line({
    type: 'user',
    uuid: `u-${id}`,
    timestamp: '2026-01-05T10:00:02.000Z',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, ...extra }],
    },
  })
const session = [
  line({
    type: 'user',
    uuid: 'u0',
    timestamp: '2026-01-05T10:00:00.000Z',
    message: { role: 'user', content: 'rename it' },
  }),
  call('t1', 'Read', { file_path: '/home/dev/app/a.ts' }),
  result('t1', '1\tconst a = 1'),
  call('t2', 'Edit', { file_path: '/home/dev/app/a.ts', old_string: 'a = 1', new_string: 'b = 1' }),
  result('t2', 'updated'),
  call('t3', 'Read', { file_path: '/home/dev/app/a.ts' }),
  result('t3', '1\tconst b = 1'),
  call('t4', 'Bash', { command: 'npm test' }),
  result('t4', 'exit 1', { is_error: true }),
].join('')

describe('inspect', () => {
  it('gives the anatomy of a session as one JSON value', async () => {
    const { code, out } = await palimpsest('inspect', file('a.jsonl', session), '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      format: 'claude-code',
      messages: 9,
      requests: 4,
      calls: 4,
      reads: 2,
      writes: 0,
      edits: 1,
      shell: 1,
      errors: 1,
      missing: 0,
      compactions: 0,
      rereads: { count: 1 },
      readsLaterEdited: { count: 1 },
      repeatedCalls: { count: 1 },
      tokens: { byTool: { Read: { calls: 2 }, Edit: { calls: 1 }, Bash: { calls: 1 } } },
    })
  })

  it('goes through a folder, says what it skipped, and shows how far it is', async () => {
    const dir = mkdtempSync(path.join(folder, 'many-'))
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      writeFileSync(path.join(dir, `${name}.jsonl`), session)
    writeFileSync(path.join(dir, 'notes.txt'), 'no recording')
    const inspect = (stepMs: number, watched: boolean): Promise<CapturedRun> =>
      captureRun(['inspect', dir, '--json'], { cwd: folder, stepMs, watched })
    const person = await inspect(400, true)
    expect(person.code).toBe(0)
    expect(JSON.parse(person.out)).toHaveLength(5)
    expect(person.err).toMatch(/skipped .*notes\.txt/)
    expect(person.err).toMatch(/\r.*█+░* +\d+ %/)
    // A log is told nothing of short work, and of long work little and plainly.
    const short = await inspect(400, false)
    expect(short.err).toMatch(/^skipped .*notes\.txt[^\n]*\n$/)
    const long = await inspect(6_000, false)
    expect(long.err).not.toMatch(/[█░\r]/)
    expect(long.err.match(/^palimpsest: \d+ % done, at .*$/gm)?.length).toBeLessThan(4)
    expect(long.err).toMatch(/^palimpsest: \d+ % done, at .*\.jsonl$/m)
  })

  it('names a damaged line by its number and goes on', async () => {
    const lines = session.split('\n')
    const damaged = [...lines.slice(0, 2), '{"type":"user", broken', ...lines.slice(2)].join('\n')
    const { code, out, err } = await palimpsest('inspect', file('damaged.jsonl', damaged))
    expect(code).toBe(0)
    expect(err).toContain('damaged.jsonl:3: skipped')
    expect(out).toContain('4 tool calls')
  })

  it('says what was expected when nothing in a file can be read', async () => {
    for (const [name, text] of [
      ['empty', ''],
      ['prose', 'hello\nworld'],
      ['other', '{"some":"json"}'],
    ] as const) {
      const { code, out, err } = await palimpsest('inspect', file(name, text))
      expect([name, code, out]).toEqual([name, 2, ''])
      expect(err).toContain(name)
      expect(err).toMatch(/claude-code.*codex/is)
    }
    expect(await palimpsest('inspect', path.join(folder, 'nowhere'))).toMatchObject({
      code: 2,
      out: '',
    })
  })
})

describe('the configuration key `toolMappings`', () => {
  it("makes inspect count a user's own tool as what it does", async () => {
    const name = file(
      'own.jsonl',
      session.replaceAll('"Read"', '"Peruse"').replaceAll('file_path', 'document'),
    )
    expect(JSON.parse((await palimpsest('inspect', name, '--json')).out)).toMatchObject({
      reads: 0,
    })
    const config = file(
      'palimpsest.jsonc',
      '{ "toolMappings": [{ "tool": "Peruse", "as": "read", "path": "document" }] }',
    )
    expect(JSON.parse((await palimpsest('inspect', name, '--json')).out)).toMatchObject({
      reads: 2,
      rereads: { count: 1 },
    })
    rmSync(config)
  })

  it('is refused with file, line and the nearest key when it is misspelt', async () => {
    const name = file('misspelt.jsonl', session)
    const config = file('palimpsest.jsonc', '{\n  "toolMapping": []\n}')
    const { code, err } = await palimpsest('inspect', name)
    expect(code).toBe(2)
    expect(err).toMatch(/palimpsest\.jsonc.*2.*toolMappings/s)
    rmSync(config)
  })
})

describe('a file that cannot be read', () => {
  it('is named with the reason, and stops nothing else in a folder', async () => {
    const dir = mkdtempSync(path.join(folder, 'broken-'))
    writeFileSync(path.join(dir, 'good.jsonl'), session)
    // Whoever runs this as root may read everything; a name that leads nowhere cannot be read by anybody.
    symlinkSync(path.join(dir, 'gone.jsonl'), path.join(dir, 'dangling.jsonl'))
    expect(await palimpsest('replay', path.join(dir, 'dangling.jsonl'))).toMatchObject({
      code: 2,
      out: '',
    })
    const { code, out } = await palimpsest('inspect', dir, '--json')
    expect([code, JSON.parse(out).length]).toEqual([0, 1])
  })
})

describe('replay', () => {
  it('prints a trace, a summary, or a story for people', async () => {
    const name = file('replay.jsonl', session)
    const trace = await palimpsest('replay', name, '--trace')
    const rows = trace.out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as { type: string })
    expect(rows.filter((row) => row.type === 'request')).toHaveLength(4)
    expect(rows[0]).toEqual({
      type: 'session',
      file: name,
      format: 'claude-code',
      model: 'claude-opus-4-5',
      policy: 'balanced',
      regime: 'anthropic-5m',
    })
    const summary = JSON.parse((await palimpsest('replay', name, '--json')).out)
    expect(summary).toMatchObject({ requests: 4 })
    const off = JSON.parse((await palimpsest('replay', name, '--json', '--preset', 'off')).out)
    expect(off).toMatchObject({ requests: 4, epochs: 0, decisions: {} })
    expect(off.tokens).toEqual({ with: summary.tokens.without, without: summary.tokens.without })
    expect(summary.tokens.with).toBeGreaterThan(20)
    const uncached = JSON.parse(
      (await palimpsest('replay', name, '--json', '--regime', 'no-cache')).out,
    )
    expect(uncached.dollars.without).toBeGreaterThan(0)
    expect(uncached.dollars.without).not.toBe(summary.dollars.without)
    const story = await palimpsest('replay', name)
    expect(story.out).toContain('makes the read at turn 1 stale')
    expect(story.out).toMatch(/npm test.*failed/)
  })

  it('refuses what it does not know and says what it knows', async () => {
    const name = file('refuse.jsonl', session)
    expect(await palimpsest('replay', name, '--regime', 'gold')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('anthropic-5m'),
    })
    expect(await palimpsest('replay', name, '--preset', 'wild')).toMatchObject({
      code: 2,
      err: expect.stringContaining('off'),
    })
    expect(await palimpsest('replay', folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining('folder'),
    })
  })
})

describe('help and usage', () => {
  it('has examples on every level, on standard output', async () => {
    for (const args of [
      ['--help'],
      ['replay', '--help'],
      ['inspect', '--help'],
      ['validate', '--help'],
    ]) {
      const { code, out, err } = await palimpsest(...args)
      expect([args, code, err]).toEqual([args, 0, ''])
      expect(out).toContain('Examples:')
      if (args.length > 1) expect(out).toContain('--json')
    }
  })

  it('says of no command that it takes --json that does not', async () => {
    const commandsIn = (help: string): readonly string[] =>
      [...(/^Commands:\n((?: +.*\n)+)/m.exec(help)?.[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)].flatMap(
        ([, name]) => (name === undefined || name === 'help' ? [] : [name]),
      )
    const { out } = await palimpsest('--help')
    expect(out).toMatch(/All commands take --json, except hook, mcp and store export/)
    const without: string[] = []
    for (const name of commandsIn(out)) {
      const { out: help } = await palimpsest(name, '--help')
      const parts = commandsIn(help)
      for (const part of parts.length === 0 ? [[]] : parts.map((each) => [each])) {
        const { out: own } = await palimpsest(name, ...part, '--help')
        if (!own.includes('--json')) without.push([name, ...part].join(' '))
      }
    }
    expect(without.toSorted()).toEqual(['hook', 'mcp', 'store export'])
  })

  it('exits with 2 on usage that it does not understand, and keeps standard output clean', async () => {
    for (const args of [
      [],
      ['frobnicate'],
      ['replay'],
      ['inspect', 'a', 'b'],
      ['replay', 'x', '--tracee'],
    ]) {
      const { code, out, err } = await palimpsest(...args)
      expect([args, code, out]).toEqual([args, 2, ''])
      expect(err).not.toBe('')
    }
  })
})

describe('validate', () => {
  it('exits with 1 and lists the violations when there are any', async () => {
    const orphan = {
      model: 'claude-opus-4-5',
      max_tokens: 10,
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_x', content: 'x' }] },
      ],
    }
    const bad = await palimpsest(
      'validate',
      file('bad.json', JSON.stringify(orphan)),
      '--format',
      'anthropic',
      '--json',
    )
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.out)).toEqual([
      {
        rule: expect.stringMatching(/^anthropic\//),
        where: expect.stringContaining('messages.0'),
        message: expect.any(String),
      },
    ])
    const fine = {
      model: 'claude-opus-4-5',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'hi' }],
    }
    const good = await palimpsest(
      'validate',
      file('good.json', JSON.stringify(fine)),
      '--format',
      'anthropic',
      '--json',
    )
    expect(good).toEqual({ code: 0, out: '[]\n', err: '' })
  })

  it('exits with 2 when the file or the format is not there', async () => {
    expect(
      await palimpsest('validate', path.join(folder, 'none.json'), '--format', 'anthropic'),
    ).toMatchObject({ code: 2, out: '' })
    expect(await palimpsest('validate', file('x.json', '{}'), '--format', 'smoke')).toMatchObject({
      code: 2,
      out: '',
    })
  })
})
