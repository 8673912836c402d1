import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

function run(
  script: string,
  ...args: string[]
): { readonly code: number | null; readonly out: string; readonly err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}`, ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

describe.each([
  ['npm run bench', 'bench.mjs', ['main', '--quick']],
  ['the scorer', 'score.mjs', ['--corpus', 'examples/sample-session.json']],
])('%s', { timeout: 60_000 }, (_, script, args) => {
  it('ends with an error when the program that prints traces is not there', () => {
    const { code, err } = run(script, ...args, '--trace-cmd', 'no-such-program {file}')
    expect(code).toBe(2)
    expect(err).toContain('--trace-cmd failed for')
    expect(err).toContain('no-such-program')
  })

  it('ends with an error when that program prints something else', () => {
    const { code, err } = run(script, ...args, '--trace-cmd', 'echo {file}')
    expect(code).toBe(2)
    expect(err).toContain('--trace-cmd printed no trace of')
  })

  it('ends with an error when the folder of recordings is not there', () => {
    const { code, err } = run(script, ...args, '--corpus', '/no/such/folder')
    expect(code).toBe(2)
    expect(err).toContain('--corpus /no/such/folder: there is no such file or folder')
  })

  it('ends with an error when there is no recording in that folder', () => {
    const empty = mkdtempSync(path.join(tmpdir(), 'palimpsest-no-recordings-'))
    writeFileSync(path.join(empty, 'MANIFEST.tsv'), 'path\tformat\n')
    const { code, err } = run(script, ...args, '--corpus', empty)
    rmSync(empty, { recursive: true })
    expect(code).toBe(2)
    expect(err).toContain(`--corpus ${empty}: there are no recordings in it`)
  })
})

it('does not call it a score when no recording has the name', { timeout: 60_000 }, () => {
  const sample = ['--corpus', 'examples/sample-session.json', '--session', 'no-such-session']
  const { code, err } = run('score.mjs', ...sample)
  expect(code).toBe(2)
  expect(err).toContain('--session no-such-session: no recording')
})

it('scores the policy of docs/traces.md as that page says', { timeout: 60_000 }, () => {
  const { code, out } = run(
    'score.mjs',
    ...['--corpus', 'examples/sample-session.json', '--json'],
    ...['--trace-cmd', 'node examples/keep-last-results.mjs {file}'],
  )
  expect(code).toBe(0)
  const { pooled } = JSON.parse(out) as { pooled: Figures }
  const page = readFileSync(path.join(root, 'docs/traces.md'), 'utf8')
  expect(page).toContain(
    `sends ${pooled.tokens.pooled.toFixed(2)} of the sample session's tokens and costs ${pooled.dollars['anthropic-5m'].pooled.toFixed(2)} of its dollars`,
  )
  expect(pooled.policy).toBe('keep-last-results')
  expect([pooled.invalid, pooled.coverage]).toEqual([0, 1])
})

interface Figures {
  readonly policy: string
  readonly tokens: { readonly pooled: number }
  readonly dollars: { readonly 'anthropic-5m': { readonly pooled: number } }
  readonly invalid: number
  readonly coverage: number
}
