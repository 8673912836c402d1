import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

function run(
  script: string,
  ...args: string[]
): { readonly code: number | null; readonly err: string } {
  const { status, stderr } = spawnSync(process.execPath, [`scripts/${script}`, ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { code: status, err: stderr }
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
})
