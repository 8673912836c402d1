import { PalimpsestError } from '../../core/words/errors.ts'
import { itemKey } from '../item.ts'
import type { MemoryEvent, ReviewOutcome } from './event.ts'
import { planSupersede, refuse } from './link-items.ts'
import type { MemoryState } from './memory-state.ts'
import { planRetract } from './retract-item.ts'

/**
 * Settles a contradiction. `newer`: the newer item replaces the older. `older`: the newer one was wrong. `both`: both
 * are true. When they share an attribute, the verdict also sets its cardinality.
 */
export function planReview(
  state: MemoryState,
  input: { readonly flag: string; readonly verdict: ReviewOutcome; readonly at: number },
): readonly MemoryEvent[] {
  const { flag: id, verdict, at } = input
  const flag = state.flags.get(id)
  if (!flag)
    throw new PalimpsestError(
      'absent',
      `there is no flag ${id}; \`memory review\` lists those that are open`,
    )
  if (flag.verdict !== undefined) return refuse(`${id} was settled already: ${flag.verdict}`)
  const [older, newer] = flag.items
  const events: MemoryEvent[] = [{ kind: 'reviewed', at, flag: id, verdict }]
  if (verdict === 'newer') events.push(...planSupersede(state, { old: older, new: newer, at }))
  if (verdict === 'older')
    events.push(...planRetract(state, { id: newer, at, reason: `review of ${id}` }))
  const attribute = sharedAttribute(state, older, newer)
  if (attribute !== undefined)
    events.push({
      kind: 'declared',
      at,
      attribute,
      cardinality: verdict === 'both' ? 'many' : 'single',
    })
  return events
}

function sharedAttribute(state: MemoryState, a: string, b: string): string | undefined {
  const first = state.items.get(a)?.item
  const second = state.items.get(b)?.item
  if (!first || !second || first.kind === 'preference') return undefined
  return itemKey(first) === itemKey(second) ? first.attribute : undefined
}
