import { describe, expect } from 'vitest'
import { type Act, bash, read, shapeOf, todowrite, write } from './acted.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }
const lookup: Act = { tool: 'lookup', input: { name: 'a' } }
/** For each kind, an older call and the one that supersedes it. */
const pairs: readonly (readonly [Act, Act])[] = [
  [lookup, lookup],
  [read(), write()],
  [todowrite('One'), todowrite('Two')],
]
const shapes = async (
  given: object,
  change: (pair: readonly [Act, Act]) => readonly Act[] = (pair) => pair,
): Promise<readonly string[]> =>
  Promise.all(pairs.map((pair) => shapeOf({ ...acp, ...given }, change(pair))))

const superseded = ['HF', 'HF', 'HF']
const kept = ['FF', 'FF', 'FF']

describe('what auto-supersede respects', () => {
  row('000-45', async () => {
    expect(await shapes({})).toEqual(superseded)
    const turnProtection = { enabled: true, turns: 4 }
    expect(await shapes({ turnProtection })).toEqual(kept)
    const later = [bash('a'), bash('b'), bash('c'), bash('d')]
    const shape = await shapes({ turnProtection }, (pair) => [...pair, ...later])
    expect(shape).toEqual(['HFFFFF', 'HFFFFF', 'HFFFFF'])
  })

  row('000-46', async () => {
    const names = ['lookup', 'read', 'todowrite']
    expect(await shapes({ protectedTools: names })).toEqual(kept)
    const custom = { tools: { settings: { protectedTools: ['lookup', 'read'] } } }
    expect(await shapes(custom)).toEqual(['FF', 'FF', 'HF'])
  })

  row('000-47', async () => {
    for (const status of ['running', 'pending'] as const) {
      const unfinished = await shapes({}, ([older, newer]) => [older, { ...newer, status }])
      expect(unfinished.map((shape) => shape[0])).toEqual(['F', 'F', 'F'])
      // Only the completed one of two older calls goes.
      const older = await shapes({}, ([first, newer]) => [{ ...first, status }, first, newer])
      expect(older.map((shape) => shape.slice(1))).toEqual(superseded)
    }
  })

  row('000-48', async () => {
    const together = await shapes({}, ([older, newer]) => [older, { ...newer, parallel: true }])
    expect(together).toEqual(kept)
    const then = await shapes({}, ([older, newer]) => [
      older,
      { ...newer, parallel: true },
      bash('make'),
      newer,
    ])
    expect(then).toEqual(['HHFF', 'HHFF', 'HHFF'])
  })
})
