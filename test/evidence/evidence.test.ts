import { createReadStream } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../src/actions/understand.ts'
import type { PresetName } from '../../src/config/config.ts'
import { createProtection } from '../../src/config/protection.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import { createEngine, type Engine } from '../../src/core/engine.ts'
import { type Recording, readRecording } from '../../src/recordings/index.ts'
import { type Fate, scoreEvidence } from '../../src/replay/evidence/score.ts'
import { finish } from '../../src/replay/work.ts'
import { corpusFolder, describeCorpus, manifestRows } from '../corpus/corpus.ts'
import { sessionWith } from '../engine/told-session.ts'

/**
 * When to apply what was decided is another matter: under each preset everything is applied at once. `npm run bench` judges the
 * other presets too.
 */
const judged: readonly PresetName[] = ['balanced', 'acp']
/** Some rules work only under the schedule that the default has. */
const asShipped = 'balanced as it ships'

type Judged = PresetName | typeof asShipped

interface PresetScore {
  readonly fates: Record<Fate, number>
  charactersBefore: number
  charactersAfter: number
  readonly misses: string[]
}

/** What `acp` supersedes. It also cuts large output and old reasoning by size and age, which says nothing about supersession. */
const bySizeAndAge = { largeOutputs: false, pruneThinking: false }

function engineOf(name: Judged, recording: Recording): Engine {
  const settings = resolveSettings(
    name === asShipped
      ? { preset: 'balanced' }
      : {
          preset: name,
          schedule: 'eager',
          ...(name === 'acp' ? { strategies: bySizeAndAge } : {}),
        },
  )
  const understanding = createUnderstanding({ cwd: recording.cwd })
  return createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding,
    protection: createProtection(settings),
  })
}

describeCorpus('needed evidence in recorded sessions', () => {
  const scores = new Map<Judged, PresetScore>()

  beforeAll(async () => {
    for (const preset of [...judged, asShipped] as const) {
      const fates = { current: 0, stale: 0, recoverable: 0, lost: 0 }
      scores.set(preset, { fates, charactersBefore: 0, charactersAfter: 0, misses: [] })
    }
    for (const { path: file = '' } of manifestRows()) {
      const { recordings } = await readRecording(createReadStream(path.join(corpusFolder, file)))
      for (const recording of recordings) {
        for (const [preset, sum] of scores) {
          const score = finish(scoreEvidence(recording, sessionWith(engineOf(preset, recording))))
          for (const fate of Object.keys(score.fates) as Fate[])
            sum.fates[fate] += score.fates[fate]
          sum.charactersBefore += score.charactersBefore
          sum.charactersAfter += score.charactersAfter
          sum.misses.push(...score.misses.map((miss) => `${file} ${miss}`))
        }
      }
    }
    for (const [preset, score] of scores) {
      const share = (removed(score) * 100).toFixed(1)
      const { current, stale, recoverable, lost } = score.fates
      console.log(
        `${preset.padEnd(asShipped.length)} removes ${share.padStart(5)} % of tokens; of the edited texts ${current} current, ${stale} stale, ${recoverable} recoverable, ${lost} lost`,
      )
    }
  }, 600_000)

  it('is wanted by hundreds of edits', () => {
    const { fates } = scores.get('balanced') as PresetScore
    const edits = Object.values(fates).reduce((sum, count) => sum + count, 0)
    expect(edits).toBeGreaterThan(500)
  })

  describe('under balanced', () => {
    it('is visible and current for 99.5 % of edits, none stale, none lost beyond a handle', () => {
      const { fates, misses } = scores.get('balanced') as PresetScore
      const edits = Object.values(fates).reduce((sum, count) => sum + count, 0)
      const details = misses.slice(0, 40).join('\n')
      expect({ stale: fates.stale, lost: fates.lost }, details).toEqual({ stale: 0, lost: 0 })
      expect(fates.current / edits, details).toBeGreaterThanOrEqual(0.995)
    })

    it('stays while at least half of the tokens go that acp supersedes', () => {
      const ours = removed(scores.get('balanced') as PresetScore)
      const theirs = removed(scores.get('acp') as PresetScore)
      expect(ours).toBeGreaterThanOrEqual(theirs / 2)
    })
  })

  it('is visible and current for 99 % of edits as balanced ships, none stale, none lost', () => {
    const { fates, misses } = scores.get(asShipped) as PresetScore
    const edits = Object.values(fates).reduce((sum, count) => sum + count, 0)
    const details = misses.slice(0, 40).join('\n')
    expect({ stale: fates.stale, lost: fates.lost }, details).toEqual({ stale: 0, lost: 0 })
    expect(fates.current / edits, details).toBeGreaterThanOrEqual(0.99)
  })

  it('is missed by the judge where acp hides it', () => {
    const { fates } = scores.get('acp') as PresetScore
    expect(fates.recoverable + fates.stale + fates.lost).toBeGreaterThan(fates.current / 20)
  })
})

function removed({ charactersBefore, charactersAfter }: PresetScore): number {
  return 1 - charactersAfter / charactersBefore
}
