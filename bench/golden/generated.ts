import * as fc from 'fast-check'
import { sessionScript } from '../../test/property/script.ts'
import { playSession } from '../../test/property/session.ts'
import { root } from '../../test/property/world.ts'
import type { Played } from './play.ts'

const seed = 20_260_105
const start = Date.UTC(2026, 0, 5, 10)
const minute = 60_000

/** Random sessions, the same in every run, with a pause longer than a cache's lifetime now and then. */
export function generatedSessions(count: number): readonly Played[] {
  // A sample's beginning does not depend on its length.
  return fc.sample(sessionScript, { seed, numRuns: count }).map((script) => {
    const { requests } = playSession(script)
    return {
      cwd: root,
      requests: requests.map(({ messages }, index) => ({
        messages,
        at: start + index * minute + Math.floor(index / 7) * 20 * minute,
      })),
    }
  })
}
