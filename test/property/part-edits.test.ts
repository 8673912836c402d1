import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createUnderstanding } from '../../src/actions/understand.ts'
import { createProtection } from '../../src/config/protection.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import { createEngine } from '../../src/core/engine.ts'
import { applyChanges } from './checks.ts'
import { partScript, playParts, wordsIn } from './part-edits.ts'
import { runs } from './runs.ts'
import { root } from './world.ts'

const settings = fc.record({
  schedule: fc.constantFrom('eager' as const, 'economic' as const),
  turnProtection: fc.nat(4),
})
/** The cache goes cold now and then. */
const pauses = fc.array(fc.constantFrom(5_000, 5_000, 90_000, 5_400_000), {
  minLength: 7,
  maxLength: 7,
})

it('whatever was readable of the current text of a file still is, when parts of its lines change', () => {
  const views = { eager: 0, economic: 0 }
  fc.assert(
    fc.property(partScript, settings, pauses, (script, { schedule, turnProtection }, between) => {
      const resolved = resolveSettings({ preset: 'balanced', schedule, turnProtection })
      const engine = createEngine({
        restore: { tool: 'context_restore' },
        settings: resolved,
        understanding: createUnderstanding({ cwd: root }),
        protection: createProtection(resolved),
      })
      let at = Date.UTC(2026, 0, 5)
      for (const [index, { messages, current }] of playParts(script).entries()) {
        at += between[index % between.length] as number
        const { changes } = engine.request(messages, undefined, { at, model: 'claude-opus-4-5' })
        const readable = wordsIn(applyChanges(messages, changes))
        const missing = [...wordsIn(messages)].filter(
          (word) => current.has(word) && !readable.has(word),
        )
        expect(missing, `request ${index + 1}`).toEqual([])
        views[schedule] += changes.filter(
          ({ decision }) => decision.rendition.how === 'view',
        ).length
      }
    }),
    { numRuns: runs.parts },
  )
  expect(views.eager).toBeGreaterThan(800)
  expect(views.economic).toBeGreaterThan(100)
}, 180_000)
