/** Tells for each request, given its time, how long there was none before it: 0 where a time was not recorded. */
export function createIdleTime(): (at: number | null) => number {
  let before: number | null = null
  return (at) => {
    const idleMs = at === null || before === null ? 0 : at - before
    before = at
    return idleMs
  }
}
