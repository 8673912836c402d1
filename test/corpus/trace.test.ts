import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { captureRun } from '../captured-run.ts'
import { isShortRun } from '../e2e/installed-client.ts'
import { corpusFolder, describeCorpus, manifestRows } from './corpus.ts'

const root = path.resolve(import.meta.dirname, '../..')
const checker = path.resolve(root, '../shared/spec/check-trace.mjs')

/** By the built command, in a process of its own. */
function traceOfCommand(file: string): string {
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

async function trace(file: string): Promise<string> {
  const { code, out, err } = await captureRun(['replay', file, '--trace'], { cwd: root })
  expect([code, err.includes('fault')]).toEqual([0, false])
  return out
}

/** The recordings that are traced in two processes: all, or in a short run the first of each format. */
function tracedTwice(): ReadonlySet<string> {
  const rows = manifestRows()
  const firsts = rows.filter(
    ({ format }, at) => rows.findIndex((row) => row.format === format) === at,
  )
  return new Set((isShortRun ? firsts : rows).map(({ path: name = '' }) => name))
}

describeCorpus('the replay trace of every recording', () => {
  const twice = tracedTwice()
  for (const { path: name = '' } of manifestRows()) {
    const isTwice = twice.has(name)
    const title = `${name} has the form that outside judges read`
    it(isTwice ? `${title}, and is the same in another process` : title, async () => {
      const file = path.join(corpusFolder, name)
      const lines = await trace(file)
      if (isTwice) expect(traceOfCommand(file)).toBe(lines)
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
