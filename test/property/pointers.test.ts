import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../src/actions/understand.ts'
import { createProtection } from '../../src/config/protection.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import { createEngine, type Engine, type EngineRequest } from '../../src/core/engine.ts'
import { claimsIn } from '../../src/core/render/marks.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import { type CorpusRecording, corpusRecordings, describeCorpus } from '../corpus/corpus.ts'
import { checkClaims } from './claims.ts'
import { recordedRequests } from './recorded-requests.ts'
import { runs } from './runs.ts'
import { sessionScript } from './script.ts'
import { playSession } from './session.ts'
import { engineFor } from './settings.ts'

const hour = 3_600_000

interface Rhythm {
  readonly name: string
  readonly settings: Settings
  readonly pause: number
}

/** When epochs open: at every request, after pauses, or when they pay. */
const rhythms: readonly Rhythm[] = [
  { name: 'eager', settings: resolveSettings({ schedule: 'eager', turnProtection: 0 }), pause: 0 },
  { name: 'a pause every third request', settings: resolveSettings({}), pause: 3 },
  { name: 'a pause every tenth request', settings: resolveSettings({}), pause: 10 },
  { name: 'compact, warm', settings: resolveSettings({ preset: 'compact' }), pause: 0 },
]

/** Epochs that open because the context is full. */
function fullContext(contextLimit: number): Rhythm {
  return { name: 'a full context', settings: resolveSettings({ contextLimit }), pause: 0 }
}

/** The agent discards what the newest pointer of the request points to. */
function discardTarget(engine: Engine, texts: readonly (string | null)[]): void {
  const claim = texts.flatMap((text) => claimsIn(text ?? '')).at(-1)
  if (claim === undefined) return
  const rendition = { how: 'discarded', text: `[discarded by you · ${claim.handle}]` } as const
  engine.ask(claim.handle, { rendition, reason: 'agent', strategy: 'agent' })
}

describe('what says where lines are', { timeout: 180_000 }, () => {
  it.each([...rhythms, fullContext(30_000)])(
    'is true of the very request in random sessions: $name',
    (rhythm) => {
      let claims = 0
      fc.assert(
        fc.property(sessionScript.map(playSession), fc.boolean(), ({ requests }, discards) => {
          const engine = engineFor(rhythm.settings)
          requests.forEach(({ messages }, n) => {
            const at = n * 1000 + (rhythm.pause === 0 ? 0 : Math.floor(n / rhythm.pause) * 2 * hour)
            const moment = { at, model: 'claude-opus-4-5' }
            const request = engine.request(messages, undefined, moment)
            const { checked, untrue } = checkClaims({ engine, messages, request })
            expect(untrue).toEqual([])
            claims += checked
            if (discards && n % 4 === 3)
              discardTarget(
                engine,
                request.changes.map(({ text }) => text),
              )
          })
        }),
        { numRuns: runs.pointers },
      )
      expect(claims).toBeGreaterThan(runs.pointers)
    },
  )
})

describeCorpus('what says where lines are, in recorded sessions', () => {
  let recordings: readonly CorpusRecording[] = []

  beforeAll(async () => {
    recordings = await corpusRecordings()
  }, 120_000)

  it.each([...rhythms, fullContext(60_000)])(
    'is true of the very request: $name',
    (rhythm) => {
      const untrue: string[] = []
      let claims = 0
      for (const { file, recording } of recordings) {
        const { settings, pause } = rhythm
        const understanding = createUnderstanding({ cwd: recording.cwd })
        const protection = createProtection(settings)
        const engine = createEngine({ settings, understanding, protection })
        let n = 0
        let anchor: EngineRequest['anchor'] | undefined
        for (const { messages, goesOn } of recordedRequests(recording)) {
          const at = n * 1000 + (pause === 0 ? 0 : Math.floor(n / pause) * 2 * hour)
          n++
          const since = goesOn ? anchor : undefined
          const request = engine.request(messages, since, { at, model: 'claude-opus-4-5' })
          anchor = request.anchor
          const found = checkClaims({ engine, messages, request })
          claims += found.checked
          untrue.push(...found.untrue.map((each) => `${file}: ${each}`))
        }
      }
      expect(untrue.slice(0, 20)).toEqual([])
      expect(claims).toBeGreaterThan(1000)
    },
    300_000,
  )
})
