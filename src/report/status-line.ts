import type { Item } from '../core/words/item.ts'
import { type DecidedItem, savedTokens } from './decided-items.ts'
import { shortTokens } from './short-tokens.ts'
import { hasEffect } from './stats.ts'

export interface PrunedCount {
  readonly count: number
  readonly tokens: number
}

/** What was pruned, as the status line counts it. */
export interface PrunedCounts {
  readonly messages: PrunedCount
  /** Blocks of reasoning. */
  readonly thinking: PrunedCount
  /** Tool calls; a call, its result and its attachments count as one. */
  readonly tools: PrunedCount
}

type Part = keyof PrunedCounts

const signs: readonly (readonly [Part, string])[] = [
  ['messages', '💬'],
  ['thinking', '🧠'],
  ['tools', '⚙️'],
]

export function countPruned(items: Iterable<DecidedItem>): PrunedCounts {
  const seen = new Set<string>()
  const counts: Record<Part, PrunedCount> = {
    messages: { count: 0, tokens: 0 },
    thinking: { count: 0, tokens: 0 },
    tools: { count: 0, tokens: 0 },
  }
  for (const decided of items) {
    const part = partOf(decided.item)
    if (part === null || !hasEffect(decided)) continue
    const name = `${part} ${callOf(decided.item) ?? decided.item.handle}`
    const { count, tokens } = counts[part]
    counts[part] = {
      count: seen.has(name) ? count : count + 1,
      tokens: tokens + savedTokens(decided),
    }
    seen.add(name)
  }
  return counts
}

/**
 * One line about what was pruned, or null when nothing was. Counts of zero are left out.
 *
 * ```ts
 * statusLine(counts) // '「 💬 15(7.5K) ▼ + 🧠 8(16K) ▼ + ⚙️ 39(83.1K) ▼ 」'
 * ```
 */
export function statusLine(counts: PrunedCounts): string | null {
  const parts = signs
    .filter(([part]) => counts[part].count > 0)
    .map(([part, sign]) => `${sign} ${counts[part].count}(${shortTokens(counts[part].tokens)}) ▼`)
  return parts.length === 0 ? null : `「 ${parts.join(' + ')} 」`
}

/** Markers are not sent to the model. */
function partOf(item: Item): Part | null {
  switch (item.kind) {
    case 'text':
      return 'messages'
    case 'reasoning':
      return 'thinking'
    case 'call':
    case 'result':
      return 'tools'
    case 'attachment':
      return item.call === undefined ? 'messages' : 'tools'
    case 'marker':
      return null
  }
}

function callOf(item: Item): string | undefined {
  return item.kind === 'call' || item.kind === 'result' || item.kind === 'attachment'
    ? item.call
    : undefined
}
