import { placeholderFor } from '../../render/index.ts'
import type { RenditionProposal } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import type { Proposals, View } from '../strategy.ts'
import type { Holder } from './file-holder.ts'

/** A proposal of the `files` strategy. */
export function forFile(
  item: Item,
  by: Item | null,
  rendition: RenditionProposal['rendition'],
): RenditionProposal {
  return { kind: 'show', item, by, reason: 'file', strategy: 'files', rendition }
}

/** The placeholder for a read, or for the lines in the result of a change. */
export function hidden(
  { operation, item }: Holder,
  by: Operation,
  { restore }: Pick<View, 'restore'>,
): RenditionProposal {
  const text = placeholderFor(operation, by, 'file', { handle: item.handle, restore })
  return forFile(item, by.result ?? by.call, { how: 'superseded', text })
}

/** Hides a read. The input of a call that also wrote something stays, because it is a separate holder. */
export function* hideRead(holder: Holder, by: Operation, view: View): Proposals {
  const { operation } = holder
  const { action, call } = operation
  const onlyReads =
    action.kind === 'read' || (action.kind === 'shell' && action.changes.length === 0)
  if (onlyReads && view.files.shownBy(call.index).length === 0) {
    yield { kind: 'supersede', older: operation, by, reason: 'file', strategy: 'files' }
  } else if (operation.turn < by.turn) yield hidden(holder, by, view)
}
