import { describe, expect, it } from 'vitest'
import { digestOf, lines, shellSource, sourceOf } from '../../../../test/core/sample-source.ts'

const found = lines(40, (file) =>
  lines(
    12,
    (n) => `packages/shop/src/part-${file}.ts:${n * 7}:  const value${n} = readValue(input)`,
  ),
)

describe('a digest of what a search found', () => {
  it('names each file once, with its first matches below and the numbers of others', () => {
    const text = lines(
      30,
      (n) => `src/checkout/basket.ts:${n}:  export function basketPart${n}() {}`,
    )
    const { kind, text: shown } = digestOf(shellSource('rg -n basketPart src', text))
    expect(kind).toBe('search')
    expect(shown.split('src/checkout/basket.ts')).toHaveLength(2)
    expect(shown).toContain('\n1:  export function basketPart1() {}\n')
    expect(shown).toMatch(/^src\/checkout\/basket\.ts:\d+,\d+,/)
  })

  it('shows matches of many files rather than all of the first', () => {
    const { text } = digestOf(shellSource('grep -rn readValue packages', found))
    const files = new Set(text.match(/packages\/shop\/src\/part-\d+\.ts/g))
    expect(files.size).toBeGreaterThan(8)
  })

  it('counts what it left out', () => {
    const { text } = digestOf(shellSource('rg -n readValue', found))
    expect(text).toMatch(/\[… \d+ lines left out · .* · context_restore a1b2c3\]$/)
  })

  it('takes absolute and relative spellings of a path for one file', () => {
    const text = lines(30, (n) =>
      [
        `/home/me/shop/src/pay/card.ts-${n * 3}-  // before number ${n}`,
        `src/pay/card.ts:${n * 3 + 1}:  charge(card${n})`,
      ].join('\n'),
    )
    const { text: shown } = digestOf(
      sourceOf(text, { kind: 'search', pattern: 'charge', path: null, include: null }),
    )
    expect(shown.match(/card\.ts/g)?.length).toBeLessThanOrEqual(2)
    expect(shown).toContain('4:  charge(card1)')
  })

  it('keeps how the command ended and what the searcher complained about', () => {
    const text = `Process exited with code 2\nOutput:\n${found}\nrg: missing/folder: No such file or directory (os error 2)`
    const { text: shown } = digestOf(shellSource('rg -n readValue packages missing/folder', text))
    expect(shown).toContain('Process exited with code 2')
    expect(shown).toContain('rg: missing/folder: No such file or directory')
  })

  it('keeps a list of files that holds no matches', () => {
    const text = lines(80, (n) => `src/feature-${n}/index.ts`)
    const action = { kind: 'search', pattern: 'x', path: null, include: null } as const
    const { text: shown } = digestOf(sourceOf(text, action))
    expect(shown).toContain('src/feature-1/index.ts\nsrc/feature-2/index.ts')
  })
})
