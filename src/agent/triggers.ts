import type { TriggerLimits } from '../core/words/settings.ts'
import { shortTokens } from '../report/short-tokens.ts'
import type { Budget } from './budget.ts'
import { categoryOf, recentCalls } from './budget.ts'
import { findItem } from './find-item.ts'
import { inventoryOf } from './inventory.ts'
import { pruneItem } from './prune-item.ts'
import type { AgentSession } from './session.ts'

export type Trigger = 'historical' | 'aggressive' | 'thinking'

/** The most urgent trigger whose limit is exceeded, or null. */
export function triggerFor({ tokens, thinking }: Budget, limits: TriggerLimits): Trigger | null {
  if (tokens.historical > limits.aggressiveTokens) return 'aggressive'
  if (tokens.historical > limits.historicalTokens) return 'historical'
  return thinking > limits.thinkingTokens ? 'thinking' : null
}

/** The advice to the agent, for triggers that only advise. */
export function triggerAdvice(trigger: Trigger, { tokens, thinking }: Budget): string {
  const historical = `~${shortTokens(tokens.historical)} tokens of the context are older work`
  switch (trigger) {
    case 'historical':
      return `${historical}. When it suits, context_info shows which old tool outputs can be discarded.`
    case 'aggressive':
      return `${historical}. At the next good moment, discard what is no longer needed; context_info lists it.`
    case 'thinking':
      return `Earlier thinking takes ~${shortTokens(thinking)} tokens. What it came to can be distilled; context_info lists it.`
  }
}

/**
 * Prunes what the trigger is for: old tool outputs, everything disposable, or thinking. Returns the tokens that the
 * next request saves.
 */
export function actOnTrigger(session: AgentSession, trigger: Trigger): number {
  const recent = recentCalls(session)
  let freed = 0
  for (const { handle, kind, retention } of inventoryOf(session)) {
    const isTarget =
      trigger === 'thinking' ? kind === 'reasoning' : trigger === 'aggressive' || kind === 'tool'
    if (!isTarget || retention === 'important') continue
    const found = findItem(session, handle)
    if (found.kind !== 'found') continue
    const { item } = found
    if (trigger !== 'thinking' && categoryOf(item, session, recent) !== 'historical') continue
    const outcome = pruneItem(session, found, { asker: 'pressure', summary: null })
    if (outcome.kind === 'pruned') freed += outcome.tokens
  }
  return freed
}
