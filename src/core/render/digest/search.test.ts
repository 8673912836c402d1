import { describe, expect, it } from 'vitest'
import { digestOf, lines, shellSource, sourceOf } from '../../../../test/core/sample-source.ts'

const action = { kind: 'search', pattern: 'render', path: null, include: null } as const

describe('what a search found', () => {
  const found = lines(200, (n) => `src/part-${n % 8}.ts:${n}:  export function render_${n}(): void`)

  it('names every file and every line number, also of matches whose text is left out', () => {
    for (const source of [shellSource('rg -n render src', found), sourceOf(found, action)]) {
      const digest = digestOf(source)
      const places = [...digest.matchAll(/^(src\/part-\d\.ts): file lines ([\d, ]+)$/gm)].flatMap(
        ([, path, numbers]) => (numbers ?? '').split(', ').map((number) => `${path}:${number}`),
      )
      const shown = [...digest.matchAll(/^(src\/part-\d\.ts:\d+):/gm)].map(([, place]) => place)
      expect(new Set([...places, ...shown]).size).toBe(200)
      expect(places.length).toBeGreaterThan(100)
    }
  })

  it('shows the text of a match that the user asked about', () => {
    const source = { ...sourceOf(found, action), request: 'where is render_137 defined?' }
    expect(digestOf(source)).toContain('src/part-1.ts:137:  export function render_137(): void')
  })
})
