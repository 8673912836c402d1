import { inputKey } from '../../words/call-key.ts'
import type { CallItem } from '../../words/operation.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isOpen, succeeded } from './outcome.ts'

const strategy = 'pruneRetryParts'

/** Failures of a call go once the same call succeeded in a later turn. */
export const retry: StrategyFactory = (settings) => {
  if (!settings.pruneRetryParts) return null
  /** By tool and then by call, so that tools which never failed cost nothing. */
  const failures = new Map<string, Map<string, CallItem[]>>()

  function remember(call: CallItem): void {
    const ofTool = failures.get(call.tool) ?? new Map<string, CallItem[]>()
    failures.set(call.tool, ofTool)
    const key = inputKey(call)
    const pending = ofTool.get(key)
    if (pending === undefined) ofTool.set(key, [call])
    else pending.push(call)
  }

  /** Takes out and gives the failures of the same call in earlier turns. */
  function takeEarlier(call: CallItem): readonly CallItem[] {
    const ofTool = failures.get(call.tool)
    if (ofTool === undefined || ofTool.size === 0) return []
    const key = inputKey(call)
    const pending = ofTool.get(key) ?? []
    const parallel = pending.filter((failure) => failure.turn >= call.turn)
    if (parallel.length > 0) ofTool.set(key, parallel)
    else ofTool.delete(key)
    return pending.filter((failure) => failure.turn < call.turn)
  }

  return {
    name: strategy,
    *operation(operation, view) {
      if (!succeeded(operation)) {
        remember(operation.call)
        return
      }
      for (const call of takeEarlier(operation.call)) {
        const older = view.operationOf(call)
        if (older?.result != null && isOpen(older.result, view)) {
          yield { kind: 'supersede', older, by: operation, reason: 'retry', strategy }
        }
      }
    },
  }
}
