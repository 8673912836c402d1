import os from 'node:os'

export interface SteadyClockOptions {
  /** The clock on the wall, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** How long the machine has run, asleep or awake, in milliseconds. */
  readonly uptimeMs?: (() => number) | undefined
}

/**
 * Milliseconds since 1970 for measuring how long a session was idle. Setting the clock does not move it, because a cache does
 * not expire when a clock is set; sleep of the machine does.
 */
export function createSteadyClock({ now, uptimeMs }: SteadyClockOptions): () => number {
  // A clock that is given alone is the only one.
  if (now !== undefined && uptimeMs === undefined) return now
  const uptime = uptimeMs ?? (() => os.uptime() * 1000)
  const startedAt = (now ?? Date.now)() - uptime()
  return () => Math.round(startedAt + uptime())
}
