import { compareRetention } from '../guard/retention.ts'
import { placeholderFor } from '../render/placeholder.ts'
import type { Scene } from '../strategy.ts'
import type { Operation, ResultItem } from '../track/operation.ts'
import type { Page } from './page.ts'

const strategy = 'pressure'

interface Pressed {
  readonly operations: Iterable<Operation>
  readonly page: Page
  readonly scene: Scene
  /** How probable it is that a result will be needed again; null where nothing is known of it. */
  readonly needOf: (operation: Operation) => number | null
}

/** What is too small to be asked about is needed about as often as other results are. */
const usualNeed = 0.1

/**
 * Results leave the page, those that rank lowest first, and of the same rank those that will least probably be needed for
 * their size, until it is no larger than wanted. Where nobody can say, the oldest go first. What is critical stays, and what may not be changed; then the request is too long, as it would have been without us.
 */
export function makeRoom(wantedSize: number, { operations, page, scene, needOf }: Pressed): void {
  for (const { operation, result } of lowestFirst(operations, scene, needOf)) {
    if (page.shownBefore(page.length) <= wantedSize) return
    const text = placeholderFor(operation, null, 'pressure', result.handle)
    const rendition = { how: 'superseded', text } as const
    scene.propose({ item: result, rendition, reason: 'pressure', strategy, by: null })
  }
}

function lowestFirst(
  operations: Iterable<Operation>,
  scene: Scene,
  needOf: Pressed['needOf'],
): readonly { readonly operation: Operation; readonly result: ResultItem }[] {
  const seen = new Set<number>()
  const ranked = []
  for (const operation of operations) {
    const { result } = operation
    // Each operation stands there twice, for its call and for its result.
    if (result === null || seen.has(result.index) || !scene.mayChange(result)) continue
    seen.add(result.index)
    const retention = scene.retentionOf(result)
    if (retention === 'critical') continue
    const need = (needOf(operation) ?? usualNeed) / Math.max(1, result.text.length)
    ranked.push({ operation, result, retention, need })
  }
  return ranked.sort(
    (a, b) =>
      compareRetention(a.retention, b.retention) ||
      a.need - b.need ||
      a.result.index - b.result.index,
  )
}
