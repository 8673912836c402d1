import type { GcConfig } from '../../config/config.ts'
import { parseDuration, parseSize } from '../../config/quantities.ts'
import type { Store } from '../../store/index.ts'

export interface RetentionOptions {
  readonly store: Pick<Store, 'gc' | 'team'>
  /** undefined: nothing is removed. */
  readonly limits: GcConfig | undefined
  now(): number
  onFault(fault: unknown): void
}

/** Sessions without a record are in memory only, and must not fill it. */
export const unrecordedLimits: GcConfig = { olderThan: '2h', largerThan: '256MB' }

const everyMs = 60_000
const shareMs = 10 * 60_000

/**
 * Removes sessions above the limits, now and every ten minutes. Of the gateways that share a store, one does it each time: the
 * claim outlives the work, so that another gateway takes over from one that is killed.
 */
export function startRetention({ store, limits, now, onFault }: RetentionOptions): {
  stop(): void
} {
  if (limits?.olderThan === undefined && limits?.largerThan === undefined) return { stop() {} }
  const { olderThan, largerThan } = limits
  let isBusy = false
  let isStopped = false

  async function sweep(): Promise<void> {
    if (isBusy) return
    isBusy = true
    try {
      if (!(await store.team.claim('gc', now(), shareMs))) return
      await store.gc({
        ...(olderThan === undefined ? {} : { usedBefore: now() - parseDuration(olderThan) }),
        ...(largerThan === undefined ? {} : { largestBytes: parseSize(largerThan) }),
      })
    } catch (fault) {
      // A store that was closed in the meantime is not an error.
      if (!isStopped) onFault(fault)
    } finally {
      isBusy = false
    }
  }

  void sweep()
  const timer = setInterval(sweep, everyMs)
  timer.unref()
  return {
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}
