import { describe, expect, it } from 'vitest'
import { presets } from '../../src/config/presets.ts'
import { plantSession } from '../score/planted/planted-session.ts'
import { scoreSession } from '../score/score.ts'
import { benchSession } from '../score/sources.ts'
import { scoreHeldOut } from './held-out.ts'
import { heldOutSections, heldOutWords } from './held-out-tables.ts'
import { ownRegime, priceUnder } from './own-price.ts'
import { variants } from './variants.ts'

const sessions = [21, 22].map((seed) => {
  const { recording } = plantSession({ seed, steps: 40 })
  const name = `claude-code/repository${seed}-ses_${seed}.jsonl`
  return benchSession({ name, file: name, ordinal: 0, recording })
})

describe('held-out figures', () => {
  const heldOut = scoreHeldOut(sessions, () => undefined)

  it('score every session once for each price model, and once with nothing declared', () => {
    expect(heldOut.repositories).toBe(2)
    expect(heldOut.undeclared).toHaveLength(2)
    expect(Object.values(heldOut.declared).map(({ length }) => length)).toEqual([2, 2, 2, 2, 2])
  })

  it('are lower with the default preset than without, and say so with an interval', () => {
    for (const { score, none } of heldOut.undeclared)
      expect(score.price.cost[0]).toBeLessThan(none.price.cost[0] as number)
    expect(heldOutWords(heldOut)).toMatch(
      /costs \*\*0\.\d\d\*\*[\s\S]*95 % interval 0\.\d\d–0\.\d\d/,
    )
    const sections = heldOutSections(heldOut)
    const residue = sections.find(({ heading }) => heading.endsWith('are: all'))
    const rows = sections.filter((each) => each !== residue).map(({ table }) => table?.length)
    const shares = residue?.table?.[1]?.slice(2).map(Number) ?? []
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 0)
    expect(shares[0]).toBeGreaterThan(0)
    // All and one agent, and two wrong lifetimes; too few sessions for folds; the default and its variants.
    expect(rows).toEqual([3, 3, 3, 3, 1, variants.length + 2])
  })

  it('price a session as its own model does, with the lifetime that its usage shows', () => {
    const [session] = sessions as [(typeof sessions)[number]]
    const wrote = (cacheWriteLong: number): ReturnType<typeof ownRegime> => {
      const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 10, cacheWriteLong }
      const events = session.recording.events.map((event) =>
        event.kind === 'message' ? { ...event, message: { ...event.message, usage } } : event,
      )
      return ownRegime({ ...session.recording, model: 'claude-opus-4-5', events })
    }
    expect(wrote(0)).toMatchObject({ write: 1.25, lifetimeMs: 300_000 })
    expect(wrote(10)).toMatchObject({ write: 2, lifetimeMs: 3_600_000 })
    for (const { ownRatio } of heldOut.undeclared) expect(ownRatio).toBeLessThan(1)
    const { unpruned } = session
    const short = scoreSession(unpruned, unpruned, session.needs).price.cost[0]
    expect(priceUnder(wrote(0), unpruned, unpruned)).toBeCloseTo(short ?? 0)
  })

  it('measure every strategy alone', () => {
    const settings = presets.balanced
    for (const { name, change } of variants) expect(change(settings), name).not.toEqual(settings)
    expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length)
    expect(heldOut.variants.map(({ pairs }) => pairs.length)).toEqual(variants.map(() => 2))
  })
})
