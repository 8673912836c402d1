import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

it('docs/seeds.md is what the tests give', () => {
  const run = (): Buffer =>
    execFileSync(process.execPath, ['scripts/seeds.mjs', '--check'], { cwd: root, stdio: 'pipe' })
  expect(run).not.toThrow()
})
