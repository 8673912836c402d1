import { compareRetention } from '../guard/retention.ts'
import { placeholderFor } from '../render/placeholder.ts'
import type { Scene } from '../strategy.ts'
import type { Operation, ResultItem } from '../track/operation.ts'
import type { Page } from './page.ts'

const strategy = 'pressure'

/**
 * Results leave the page, those that rank lowest and then the oldest first, until it is no larger than wanted. What is
 * critical stays, and what may not be changed; then the request is too long, as it would have been without us.
 */
export function makeRoom(
  wantedSize: number,
  { operations, page, scene }: { operations: Iterable<Operation>; page: Page; scene: Scene },
): void {
  for (const { operation, result } of lowestFirst(operations, scene)) {
    if (page.shownBefore(page.length) <= wantedSize) return
    const text = placeholderFor(operation, null, 'pressure', result.handle)
    const rendition = { how: 'superseded', text } as const
    scene.propose({ item: result, rendition, reason: 'pressure', strategy, by: null })
  }
}

function lowestFirst(
  operations: Iterable<Operation>,
  scene: Scene,
): readonly { readonly operation: Operation; readonly result: ResultItem }[] {
  const seen = new Set<number>()
  const ranked = []
  for (const operation of operations) {
    const { result } = operation
    // Each operation stands there twice, for its call and for its result.
    if (result === null || seen.has(result.index) || !scene.mayChange(result)) continue
    seen.add(result.index)
    const retention = scene.retentionOf(result)
    if (retention !== 'critical') ranked.push({ operation, result, retention })
  }
  return ranked.sort(
    (a, b) => compareRetention(a.retention, b.retention) || a.result.index - b.result.index,
  )
}
