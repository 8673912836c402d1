export interface SteadyClockOptions {
  /** The clock on the wall, in milliseconds since 1970; the machine's when left out. */
  readonly now?: (() => number) | undefined
  /** How long the machine has run, asleep or awake, in milliseconds. */
  readonly uptimeMs: () => number
}

/**
 * Milliseconds since 1970 for measuring how long a session was idle. Setting the clock does not move it, because a cache does
 * not expire when a clock is set; sleep of the machine does.
 */
export function createSteadyClock({ now = Date.now, uptimeMs }: SteadyClockOptions): () => number {
  const startedAt = now() - uptimeMs()
  return () => Math.round(startedAt + uptimeMs())
}
