import { hash } from 'node:crypto'
import type { EpochReason } from '../../core/words/ledger.ts'

/** How much of the user's first message decides which items are relevant, in characters. */
export const longestTask = 2_000

/** The reasons for a new epoch after which the provider has nothing cached. */
const cold: ReadonlySet<EpochReason | null> = new Set<EpochReason>(['idle', 'model', 'resumed'])

/** Whether the provider has no part of a request cached, judging by the epoch that the request opened. */
export function isColdEpoch(opened: EpochReason | null): boolean {
  return cold.has(opened)
}

/** A name for each prefix of a conversation. `contentOf` identifies the message at an index. */
export function prefixNames(contentOf: (index: number) => string): (index: number) => string {
  const names: string[] = []
  return (index) => {
    for (let at = names.length; at <= index; at++)
      names.push(hash('sha256', `${names[at - 1] ?? ''}${contentOf(at)}`).slice(0, 32))
    return names[index] ?? ''
  }
}
