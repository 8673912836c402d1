import type { AgentSession } from './session.ts'
import { placedItems, shownTokens } from './session.ts'

/** How full the context is. */
export type PressureLevel = 'light' | 'moderate' | 'high' | 'critical'

export interface Pressure {
  readonly usedTokens: number
  /** null when the model's limit is unknown. */
  readonly limitTokens: number | null
  /** Used tokens divided by the limit; null if the limit is unknown. */
  readonly share: number | null
  readonly level: PressureLevel
}

/** The share of the limit at which each level starts. */
const bounds: readonly (readonly [number, PressureLevel])[] = [
  [0.9, 'critical'],
  [0.75, 'high'],
  [0.5, 'moderate'],
]

export function pressureLevel(share: number): PressureLevel {
  return bounds.find(([from]) => share >= from)?.[1] ?? 'light'
}

/** The estimated size of the next request, including the system prompt and tools. */
export function pressureOf(session: AgentSession): Pressure {
  let estimate = session.prefixTokens
  for (const { item } of placedItems(session)) estimate += shownTokens(item, session)
  const usedTokens = Math.round(estimate * session.factor)
  const limitTokens = session.contextLimit
  const share = limitTokens === null || limitTokens <= 0 ? null : usedTokens / limitTokens
  return { usedTokens, limitTokens, share, level: pressureLevel(share ?? 0) }
}
