import { createReadStream } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readRecording } from '../../src/recordings/index.ts'
import { type CacheCheck, checkCache, readShare, sumChecks } from '../../src/replay/cache-check.ts'
import { corpusFolder, describeCorpus, manifestRows } from './corpus.ts'

async function checksOf(format: string, from: 'figures' | 'rules'): Promise<CacheCheck[]> {
  const checks: CacheCheck[] = []
  for (const row of manifestRows()) {
    if (row.format !== format) continue
    const stream = createReadStream(path.join(corpusFolder, row.path ?? ''))
    const { recordings } = await readRecording(stream)
    for (const recording of recordings) checks.push(checkCache(recording, { from }))
  }
  return checks.filter(({ requests }) => requests > 0)
}

function pointsOff(checks: readonly CacheCheck[]): number {
  const { recorded, predicted } = sumChecks(checks)
  return 100 * Math.abs(readShare(predicted) - readShare(recorded))
}

/** `palimpsest compare ../shared/corpus/claude-code --preset balanced` prints the shares. */
describeCorpus('the share of the input that is read from the cache', () => {
  it('is within 3 points of the recorded one in Claude Code, from the rules alone too', async () => {
    for (const from of ['figures', 'rules'] as const) {
      const checks = await checksOf('claude-code', from)
      const { requests, recorded } = sumChecks(checks)
      expect(requests).toBeGreaterThan(1000)
      expect(readShare(recorded)).toBeGreaterThan(0.5)
      expect(pointsOff(checks)).toBeLessThan(3)
    }
  })

  it('is nearer than a guess that every session has the same share', async () => {
    const checks = await checksOf('claude-code', 'figures')
    const pooled = readShare(sumChecks(checks).recorded)
    const off = (share: (check: CacheCheck) => number): number =>
      checks.reduce((sum, check) => sum + Math.abs(share(check) - readShare(check.recorded)), 0)
    expect(off(({ predicted }) => readShare(predicted))).toBeLessThan(off(() => pooled))
  })

  it('is within 3 points where caches promise less, once answers have told', async () => {
    for (const format of ['codex', 'opencode-export', 'mini-swe-agent'])
      expect(pointsOff(await checksOf(format, 'figures')), format).toBeLessThan(3)
  })
})
