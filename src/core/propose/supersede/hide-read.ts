import { placeholderFor } from '../../render/index.ts'
import type { RenditionProposal } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import type { Proposals, View } from '../strategy.ts'
import type { Holder } from './file-holder.ts'

/** A file shown otherwise. */
export function forFile(
  item: Item,
  by: Item | null,
  rendition: RenditionProposal['rendition'],
): RenditionProposal {
  return { kind: 'show', item, by, reason: 'file', strategy: 'files', rendition }
}

/** What stands in the place of a read, or of the lines that a change's result shows. */
export function hidden(
  { operation, item }: Holder,
  by: Operation,
  { restore }: Pick<View, 'restore'>,
): RenditionProposal {
  const text = placeholderFor(operation, by, 'file', { handle: item.handle, restore })
  return forFile(item, by.result ?? by.call, { how: 'superseded', text })
}

/** Hides what a read shows. The input of a call that also wrote something stays: its lines are held on their own. */
export function* hideRead(holder: Holder, by: Operation, view: View): Proposals {
  const { operation } = holder
  const { action, call } = operation
  const onlyReads =
    action.kind === 'read' || (action.kind === 'shell' && action.changes.length === 0)
  if (onlyReads && view.files.shownBy(call.index).length === 0) {
    yield { kind: 'supersede', older: operation, by, reason: 'file', strategy: 'files' }
  } else if (operation.turn < by.turn) yield hidden(holder, by, view)
}
