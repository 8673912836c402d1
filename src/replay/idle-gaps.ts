import type { Recording } from '../recordings/recording.ts'

/** Pauses between two messages, in which a provider's cache goes cold. */
export interface IdleGaps {
  readonly over5m: number
  readonly over1h: number
  readonly longestMs: number
}

const minute = 60_000

export function idleGaps(recording: Recording): IdleGaps {
  let over5m = 0
  let over1h = 0
  let longestMs = 0
  let before: number | null = null
  for (const event of recording.events) {
    const at = event.kind === 'message' ? event.message.at : event.at
    if (at === undefined) continue
    const gap = before === null ? 0 : at - before
    if (gap > 5 * minute) over5m++
    if (gap > 60 * minute) over1h++
    longestMs = Math.max(longestMs, gap)
    before = at
  }
  return { over5m, over1h, longestMs }
}
