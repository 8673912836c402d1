import { describe, expect, it } from 'vitest'
import { differingNames, generatedDigests, keptDigests } from '../../bench/golden/digests.ts'
import { isShortRun } from '../e2e/installed-client.ts'

/** `npm run golden` compares 200. */
const count = isShortRun ? 8 : 20

describe('outgoing bytes', () => {
  it('are those of the kept digests; `npm run golden -- --update` renews them after a wanted change', () => {
    const found = generatedDigests(count)
    expect(Object.keys(found).filter((name) => name.startsWith('session '))).toHaveLength(count)
    expect(differingNames(found, keptDigests('generated'), { isWhole: false })).toEqual([])
  }, 180_000)
})
