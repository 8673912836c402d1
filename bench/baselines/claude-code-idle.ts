import type { Policy } from '../score/policy.ts'
import { clearResults } from './clear-tool-uses.ts'
import { createIdleTime } from './idle-time.ts'
import { type StandIn, showWith } from './stand-in.ts'

interface ClaudeCodeIdleOptions {
  /** Clears only after at least so long without a request. */
  readonly idleSeconds: number
  /** How many tool calls the request must have at least. */
  readonly triggerCalls: number
  /** How many of the newest tool uses it keeps. */
  readonly keep: number
  /** Nothing is cleared when it would save fewer tokens. */
  readonly clearAtLeastTokens: number
}

/**
 * What Claude Code asks of the API when the user comes back: `clear_tool_uses`, once the cache of an hour has surely
 * expired. What is cleared stays cleared. Calls keep their inputs, so cleared ones still count for the trigger. A
 * server flag switches this on; its compaction of idle sessions, which writes a summary, is not replayed.
 */
export function claudeCodeIdleWith(options: ClaudeCodeIdleOptions): Policy {
  const { idleSeconds, triggerCalls, keep, clearAtLeastTokens } = options
  return {
    name: 'claude-code-idle',
    source: 'Claude Code 2.1.326, clear_tool_uses after idle time, behind a server flag',
    parameters: `idle for at least ${idleSeconds} s, trigger=${triggerCalls} tool calls, keep=${keep}, clear_at_least=${clearAtLeastTokens}`,
    begin: () => {
      const standIns = new Map<number, StandIn>()
      const idleTime = createIdleTime()
      return ({ at, view }) => {
        const isIdle = idleTime(at) >= idleSeconds * 1_000
        const calls = view.filter(({ item }) => item.kind === 'call').length
        if (isIdle && calls >= triggerCalls) clearResults(view, standIns, options)
        return showWith(view, standIns)
      }
    },
  }
}

export const claudeCodeIdle: Policy = claudeCodeIdleWith({
  idleSeconds: 3_900,
  triggerCalls: 27,
  keep: 12,
  clearAtLeastTokens: 20_000,
})
