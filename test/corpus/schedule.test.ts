import { beforeAll, expect, it } from 'vitest'
import { findRegime, type NamedRegime, regimeFor } from '../../src/core/schedule/regimes.ts'
import { sessionFor } from '../../src/replay/recorded-session.ts'
import { replay, type Shown } from '../../src/replay/replay.ts'
import { createSavedSoFar, type PromptPart } from '../property/prefix-cache.ts'
import { type CorpusRecording, corpusRecordings, describeCorpus } from './corpus.ts'

/** The parts of one session's requests; a part that is shown again is the same object. */
function createParts(): (view: readonly Shown[]) => readonly PromptPart[] {
  const parts = new Map<object, PromptPart>()
  return (view) =>
    view.map(({ item, rendition }) => {
      const shown = rendition ?? item
      const part = parts.get(shown) ?? {
        id: `${item.index} ${rendition?.text ?? 'in full'}`,
        size: shown.text.length,
      }
      parts.set(shown, part)
      return part
    })
}

const isPrefix = (start: readonly PromptPart[], whole: readonly PromptPart[]): boolean =>
  start.every(({ id }, index) => id === whole[index]?.id)

const followed: readonly (NamedRegime | undefined)[] = [
  undefined,
  findRegime('anthropic-5m'),
  findRegime('deepseek-v4'),
]

describeCorpus('every real session under the default preset', () => {
  let recordings: readonly CorpusRecording[] = []

  beforeAll(async () => {
    recordings = await corpusRecordings()
  }, 120_000)

  it.each(followed.map((regime) => [regime?.name ?? "the model's own prices", regime] as const))(
    'never costs more than without us, and only grows between epochs: %s',
    { timeout: 300_000 },
    (_, regime) => {
      const costlier: string[] = []
      let epochs = 0
      for (const { file, recording } of recordings) {
        const config = { preset: 'balanced', toolMappings: [], warnings: [] } as const
        const session = sessionFor(recording, { config: { ...config, regime: regime?.name } })
        const held = [regime ?? regimeFor(recording.model)]
        const bill = createSavedSoFar(held)
        const partsOf = createParts()
        let last: { before: readonly PromptPart[]; after: readonly PromptPart[] } | null = null
        let at = 0
        for (const step of replay(recording, session)) {
          if (step.kind !== 'request') continue
          at = Math.max(at, step.at ?? at)
          const before = partsOf(step.unchanged)
          const after = partsOf(step.view)
          bill.request({ before, after }, { at, model: step.model ?? '' })
          for (const [index, { name }] of held.entries()) {
            if ((bill.saved[index] ?? 0) < -1e-6) costlier.push(`${file} ${step.n} ${name}`)
          }
          if (step.turn?.receipt.epoch != null) epochs++
          else if (last !== null && isPrefix(last.before, before)) {
            expect(isPrefix(last.after, after)).toBe(true)
          }
          last = { before, after }
        }
      }
      expect(costlier).toEqual([])
      expect(epochs).toBeGreaterThan(20)
    },
  )
})
