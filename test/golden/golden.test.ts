import { describe, expect, it } from 'vitest'
import { differingNames, generatedDigests, keptDigests } from '../../bench/golden/digests.ts'

describe('outgoing bytes', () => {
  it('are those of the kept digests; `npm run golden -- --update` renews them after a wanted change', () => {
    const found = generatedDigests(20)
    expect(Object.keys(found).filter((name) => name.startsWith('session '))).toHaveLength(20)
    expect(differingNames(found, keptDigests('generated'), { isWhole: false })).toEqual([])
  }, 180_000)
})
