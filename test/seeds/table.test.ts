import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

it('docs/seeds.md is what the tests give', () => {
  const run = (): Buffer =>
    execFileSync(process.execPath, ['scripts/seeds.mjs', '--check'], { cwd: root, stdio: 'pipe' })
  expect(run).not.toThrow()
})

it('every statement has a test, or says why it cannot have one', () => {
  const table = readFileSync(path.join(root, 'docs/seeds.md'), 'utf8')
  expect(table.match(/^\| \d{3}-\d{2} .*$/gm)?.length).toBe(242)
  expect(table).not.toContain('no test yet')
  expect(table).not.toMatch(/cannot be tested(?!: )/)
})
