import { actionOf } from '../actions/action-of.ts'
import { wasShownBefore } from '../core/propose/supersede/shown-before.ts'
import type { Item } from '../core/words/item.ts'
import type { Recording } from '../recordings/recording.ts'
import { replay } from './replay.ts'

/** What a door of ours counted while a session ran, as the store keeps it. */
export interface StoredPruning {
  /** The door: `gateway` or `opencode`. */
  readonly origin: string
  readonly requests: number
  /** Of all requests; null where the door counts savings by item only. */
  readonly tokens: { readonly before: number; readonly after: number } | null
}

/**
 * Signs that a session was pruned while it ran. Clients behind the gateway record their original results, so most such
 * recordings look as if nothing had happened.
 */
export interface AlreadyPruned {
  /** Calls and results that are recorded as we showed them: placeholders, pointers, digests, stripped inputs. */
  readonly items: number
  /** Tokens that the provider counted, where they are fewer than the recorded texts of the same requests have. */
  readonly usage: { readonly counted: number; readonly recorded: number } | null
  readonly stored: StoredPruning | null
}

/** null when nothing says so. */
export function alreadyPruned(
  recording: Recording,
  stored: StoredPruning | null = null,
): AlreadyPruned | null {
  const usages = recording.events.flatMap((event) =>
    event.kind === 'message' && event.message.role === 'assistant' ? [event.message.usage] : [],
  )
  const sum = { answers: 0, counted: 0, recorded: 0 }
  const items: Item[] = []
  for (const step of replay(recording)) {
    if (step.kind === 'items') {
      items.push(...step.items)
      continue
    }
    const counted = usages[step.n - 1]?.input ?? 0
    if (counted === 0) continue
    sum.answers++
    sum.counted += counted
    for (const { item, rendition } of step.unchanged)
      if (rendition === null && isCounted(item)) sum.recorded += item.tokens
  }
  const found = { items: markedItems(items), usage: lessThanRecorded(sum), stored }
  return found.items === 0 && found.usage === null && stored === null ? null : found
}

/** True when the requests were smaller than the recording shows, so that a replay would save the same a second time. */
export function ranPruned(pruned: AlreadyPruned | null): boolean {
  return pruned !== null && (pruned.usage !== null || pruned.stored !== null)
}

/** Providers drop old reasoning, and count attachments in their own way. */
function isCounted({ kind }: Item): boolean {
  return kind === 'text' || kind === 'call' || kind === 'result'
}

const fewestAnswers = 5
const leastTokens = 20_000
/** System prompt and tools are counted and not recorded, so an unpruned session is well above 1: 1.07 and more in 131 recordings. */
const mostShare = 0.9
/** Less than this is no count: some proxies and test servers report a constant. */
const leastShare = 0.1

function lessThanRecorded(sum: {
  readonly answers: number
  readonly counted: number
  readonly recorded: number
}): AlreadyPruned['usage'] {
  const { answers, counted, recorded } = sum
  if (answers < fewestAnswers || recorded < leastTokens) return null
  const share = counted / recorded
  return share > mostShare || share < leastShare ? null : { counted, recorded }
}

function markedItems(items: readonly Item[]): number {
  const results = new Map(
    items.flatMap((item) => (item.kind === 'result' ? [[item.call, item] as const] : [])),
  )
  return items.filter((call) => {
    if (call.kind !== 'call') return false
    const result = results.get(call.call) ?? null
    const status = result === null ? 'running' : result.status === 'ok' ? 'ok' : 'error'
    return wasShownBefore({ call, result, status, reading: null, action: actionOf(call) })
  }).length
}
