import type { ItemDraft, Message, MessageDraft } from '../words/item.ts'
import type { Anchor, Branches } from './branches.ts'

/**
 * How a history relates to the previous one.
 * `first`: there was none. `same`: nothing is new. `grown`: messages were added. `shortened`: messages at its end are gone.
 * `edited`: a message was changed or left out, and later ones are still there.
 * `forked`: it differs from some point on.
 */
export type Relation = 'first' | 'same' | 'grown' | 'shortened' | 'edited' | 'forked'

/**
 * `known` is the end of the part that the record has; `hashes` are those of the drafts after it. Compares only what is
 * new with the part of the previous history that it replaces.
 */
export function relate(
  branches: Branches,
  previous: Anchor | null,
  known: Anchor,
  drafts: readonly MessageDraft[],
  hashes: readonly string[],
): Relation {
  if (previous === null) return 'first'
  const common = branches.commonLength(previous, known)
  if (common === previous.length) return drafts.length === common ? 'same' : 'grown'
  if (drafts.length === common) return 'shortened'

  const replaced = new Set<string>()
  for (let position = common; position < previous.length; position++) {
    const step = branches.step(previous.branch, position)
    if (step !== undefined) replaced.add(step.message.hash)
  }
  for (let position = common; position < known.length; position++) {
    const step = branches.step(known.branch, position)
    if (step !== undefined && replaced.has(step.message.hash)) return 'edited'
  }
  if (hashes.some((hash) => replaced.has(hash))) return 'edited'

  const before = branches.step(previous.branch, common)?.message
  const after = drafts[common]
  return before !== undefined && after !== undefined && answersSameCalls(before, after)
    ? 'edited'
    : 'forked'
}

/** True for the same calls with another text, such as a result that the client shortened or cleared. */
function answersSameCalls(before: Message, after: MessageDraft): boolean {
  const calls = callIds(before.items)
  return calls.length > 0 && calls === callIds(after.items)
}

function callIds(items: readonly ItemDraft[]): string {
  return items
    .map((item) =>
      item.kind === 'result' || item.kind === 'call' ? `${item.kind} ${item.call}\n` : '',
    )
    .join('')
}
