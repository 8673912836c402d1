import type { MessageDraft } from '../../src/core/words/item.ts'
import { engineFor } from '../../src/replay/engine-for.ts'
import { plantSession } from './planted/planted-session.ts'

export interface GrowthPoint {
  readonly items: number
  readonly milliseconds: number
}

const timedRequests = 40

/**
 * The time of one more request in a session that is known already, by the size of the session: a quarter of the requests
 * are faster, so that what else the machine does counts little.
 */
export function measureGrowth(sizes: readonly number[]): readonly GrowthPoint[] {
  // The first is taken twice: a program is slow until its functions are compiled.
  return [...sizes.slice(0, 1), ...sizes].map(growthPoint).slice(1)
}

function growthPoint(steps: number): GrowthPoint {
  const { recording } = plantSession({ seed: 7, steps })
  const engine = engineFor(recording, { config: { toolMappings: [], warnings: [] } })
  const messages: readonly MessageDraft[] = recording.events.flatMap((event) =>
    event.kind === 'message' ? [event.message] : [],
  )
  const start = Math.max(1, messages.length - timedRequests * 2)
  let { anchor } = engine.request(messages.slice(0, start))
  const times: number[] = []
  for (let length = start + 2; length <= messages.length; length += 2) {
    const history = messages.slice(0, length)
    const began = performance.now()
    anchor = engine.request(history, anchor).anchor
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const items = messages.reduce((sum, message) => sum + message.items.length, 0)
  return { items, milliseconds: times[times.length >> 2] ?? 0 }
}

/** The slope in a picture with two logarithmic axes: 0 does not grow, 1 grows with the session. */
export function growthExponent(points: readonly GrowthPoint[]): number {
  const logs = points.map(({ items, milliseconds }) => [Math.log(items), Math.log(milliseconds)])
  const mean = (column: number): number =>
    logs.reduce((sum, row) => sum + (row[column] ?? 0), 0) / Math.max(1, logs.length)
  const [x, y] = [mean(0), mean(1)]
  let above = 0
  let below = 0
  for (const [a = 0, b = 0] of logs) {
    above += (a - x) * (b - y)
    below += (a - x) ** 2
  }
  return below === 0 ? 0 : above / below
}
