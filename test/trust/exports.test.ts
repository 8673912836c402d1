import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CapturedRun, captureRun } from '../captured-run.ts'

let folder = ''
let home = ''
let project = ''

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'palimpsest exports-')))
  ;[home, project] = ['home', 'project'].map((name) => path.join(folder, name)) as [string, string]
  for (const each of [home, project]) mkdirSync(each)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const memory = (...args: string[]): Promise<CapturedRun> =>
  captureRun(['memory', ...args], { cwd: project, home })

async function add(text: string): Promise<string> {
  return (JSON.parse((await memory('add', 'fact', text, '--json')).out) as { id: string }).id
}

interface Forgotten {
  readonly files: readonly string[]
  readonly left: readonly { readonly path: string; readonly reason: string }[]
}

async function forget(id: string, ...args: string[]): Promise<Forgotten> {
  const { out, err } = await memory('forget', id, '--yes', '--json', ...args)
  expect(err).toBe('')
  return JSON.parse(out) as Forgotten
}

describe('a file that memory export wrote', () => {
  it('is rewritten whole, with its mode, and nothing is left beside it', async () => {
    const id = await add('the vault is behind the mirror')
    await add('the cellar is dry')
    const file = path.join(project, 'memory.jsonl')
    await memory('export', '--to', file)
    const { ino, mode } = statSync(file)
    expect(await forget(id)).toMatchObject({ files: [file], left: [] })
    expect(readFileSync(file, 'utf8')).not.toContain('vault')
    expect(readFileSync(file, 'utf8')).toContain('cellar')
    expect(statSync(file).mode).toBe(mode)
    expect(statSync(file).ino).not.toBe(ino)
    expect(existsSync(path.join(home, 'exports.jsonl'))).toBe(true)
    expect(statSync(path.join(home, 'exports.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('keeps what others wrote around the exported section, and is named when that says it too', async () => {
    const id = await add('the vault is behind the mirror')
    const file = path.join(project, 'CLAUDE.md')
    writeFileSync(file, 'Mine: the vault is behind the mirror\n')
    await memory('export', '--format', 'markdown', '--to', file)
    expect(await forget(id)).toMatchObject({
      files: [file],
      left: [{ path: file, reason: 'text outside the exported section contains it too' }],
    })
    expect(readFileSync(file, 'utf8').match(/behind the mirror/g)).toHaveLength(1)
    expect(readFileSync(file, 'utf8')).toMatch(/^Mine: the vault is behind the mirror\n/)
  })

  it('is left alone once it is something else', async () => {
    const id = await add('the vault is behind the mirror')
    const file = path.join(project, 'memory.jsonl')
    await memory('export', '--to', file)
    const text = '# notes of mine\nthe vault is behind the mirror\n'
    writeFileSync(file, text)
    expect(await forget(id)).toMatchObject({
      files: [],
      left: [{ path: file, reason: 'it is no longer an export' }],
    })
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('is not followed through a link that took its place, or the place of its folder', async () => {
    for (const [name, replaced] of [
      ['memory.jsonl', 'out/memory.jsonl'],
      ['out', 'out'],
    ] as const) {
      const id = await add('the vault is behind the mirror')
      const file = path.join(project, 'out', 'memory.jsonl')
      mkdirSync(path.join(project, 'out'), { recursive: true })
      rmSync(file, { force: true })
      await memory('export', '--to', file)
      const target = path.join(folder, `target of ${name}`)
      renameSync(path.join(project, replaced), target)
      symlinkSync(target, path.join(project, replaced))
      const text = readFileSync(file, 'utf8')
      expect(await forget(id)).toMatchObject({
        files: [],
        left: [{ path: file, reason: 'it is behind a link now' }],
      })
      expect(readFileSync(file, 'utf8')).toBe(text)
      rmSync(path.join(project, replaced))
    }
  })
})

describe('an export that the store knows and the user’s own folder does not', () => {
  it('of another user or machine that shares the store, is named and not touched', async () => {
    const shared = ['--store', path.join(folder, 'shared.db')]
    const { out } = await memory(
      'add',
      'fact',
      'the vault is behind the mirror',
      '--json',
      ...shared,
    )
    const { id } = JSON.parse(out) as { id: string }
    const file = path.join(project, 'memory.jsonl')
    const other = path.join(folder, 'another home')
    mkdirSync(other)
    await captureRun(['memory', 'export', '--to', file, ...shared], { cwd: project, home: other })
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('vault')
    expect(await forget(id, ...shared)).toMatchObject({
      files: [],
      left: [{ path: file, reason: 'not known as an export of this user on this machine' }],
    })
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('on another machine with the same home is not touched either', async () => {
    const id = await add('the vault is behind the mirror')
    const file = path.join(project, 'memory.jsonl')
    await memory('export', '--to', file)
    const registry = path.join(home, 'exports.jsonl')
    const entry = JSON.parse(readFileSync(registry, 'utf8')) as object
    writeFileSync(registry, `${JSON.stringify({ ...entry, machine: 'another' })}\n`)
    expect(await forget(id)).toMatchObject({ files: [], left: [{ path: file }] })
  })
})

describe('a home that cannot be written', () => {
  it('stops what could not be noted, and no export', async () => {
    const shared = ['--store', path.join(folder, 'shared.db')]
    const { out } = await memory('add', 'fact', 'the vault is here', '--json', ...shared)
    const { id } = JSON.parse(out) as { id: string }
    rmSync(home, { recursive: true })
    writeFileSync(home, 'no folder')
    const file = path.join(project, 'memory.jsonl')
    expect(await memory('export', '--to', file, ...shared)).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(file, 'utf8')).toContain('vault')
    const run = await memory('forget', id, '--yes', ...shared)
    expect(run).toMatchObject({ code: 2, out: '' })
    expect(run.err).toContain('cannot be written, so nothing was removed')
    expect((await memory('list', ...shared)).out).toContain('vault')
    const config = path.join(project, 'palimpsest.jsonc')
    writeFileSync(config, '{ "store": "elsewhere.db" }')
    const trust = await captureRun(['trust'], { cwd: project, home })
    expect([trust.code, trust.err]).toEqual([2, expect.stringContaining('cannot be kept')])
    const asked = await captureRun(['memory', 'list', ...shared], {
      cwd: project,
      home,
      answer: true,
    })
    expect([asked.code, asked.err]).toEqual([0, expect.stringContaining('cannot be kept')])
  })
})

describe('memory forget on the command line', () => {
  it('needs a person at the terminal, or --yes', async () => {
    const id = await add('the vault is behind the mirror')
    const unasked = await memory('forget', id)
    expect(unasked).toMatchObject({ code: 2, out: '' })
    expect(unasked.err).toContain('confirm in a terminal, or add --yes')
    const declined = await captureRun(['memory', 'forget', id], {
      cwd: project,
      home,
      answer: false,
    })
    expect(declined.err).toContain('Forget 1 item')
    expect((await memory('list')).out).toContain('vault')
    const run = await captureRun(['memory', 'forget', id], { cwd: project, home, answer: true })
    expect(run.out).toContain(`forgotten: ${id}`)
    const entries = JSON.parse((await memory('audit', '--json')).out) as unknown[]
    expect(entries).toMatchObject([
      { action: 'memory forget', door: 'command line', consent: 'refused', ids: [id] },
      { action: 'memory forget', door: 'command line', consent: 'asked', ids: [id] },
    ])
    expect(JSON.stringify(entries)).not.toContain('vault')
  })
})
