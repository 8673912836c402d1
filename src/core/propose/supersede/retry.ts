import { callKey } from '../../words/call-key.ts'
import type { CallItem } from '../../words/operation.ts'
import type { StrategyFactory } from '../strategy.ts'
import { hideableOf, succeeded } from './outcome.ts'

const strategy = 'pruneRetryParts'

/** Supersedes failures of a call once the same call has succeeded in a later turn. */
export const retry: StrategyFactory = (settings) => {
  if (!settings.pruneRetryParts) return null
  const failures = new Map<string, readonly CallItem[]>()
  return {
    name: strategy,
    *operation(operation, view) {
      const key = callKey(operation.call)
      const failed = failures.get(key) ?? []
      if (!succeeded(operation)) {
        failures.set(key, [...failed, operation.call])
        return
      }
      failures.set(
        key,
        failed.filter(({ turn }) => turn >= operation.call.turn),
      )
      const earlier = failed.filter(({ turn }) => turn < operation.call.turn)
      for (const older of hideableOf(earlier, view)) {
        yield { kind: 'supersede', older, by: operation, reason: 'retry', strategy }
      }
    },
  }
}
