import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { captureRun } from '../captured-run.ts'
import { corpusFolder, describeCorpus, manifestRows } from './corpus.ts'

const root = path.resolve(import.meta.dirname, '../..')
const checker = path.resolve(root, '../shared/spec/check-trace.mjs')

function trace(file: string): string {
  const main = path.join(root, 'dist/cli/main.js')
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [main, 'replay', file, '--trace'],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    },
  )
  expect([status, stderr.includes('fault')]).toEqual([0, false])
  return stdout
}

describeCorpus('the replay trace of every recording', () => {
  for (const { path: name = '' } of manifestRows()) {
    it(`${name} has the form that outside judges read, and is the same in another process`, async () => {
      const file = path.join(corpusFolder, name)
      const lines = trace(file)
      const again = await captureRun(['replay', file, '--trace'], { cwd: root })
      expect(again.out).toBe(lines)
      const rows = lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string })
      expect(rows.some((row) => row.type === 'session')).toBe(true)
      expect(rows.some((row) => row.type === 'request')).toBe(true)
      if (!existsSync(checker)) return
      const checked = spawnSync(process.execPath, [checker], { input: lines, encoding: 'utf8' })
      expect(checked.stdout).toContain(', 0 faults')
    })
  }
})
