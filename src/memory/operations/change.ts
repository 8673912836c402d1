import * as z from 'zod'
import { PalimpsestError } from '../../core/words/errors.ts'
import { openFlags } from '../visible.ts'
import { type ItemView, itemLine, itemView } from './item-view.ts'
import {
  canSee,
  type MemoryAccess,
  type MemoryOperation,
  memoryOperation,
  visibleItem,
  wholeId,
} from './operation.ts'

const itemId = z.string().describe('the id of a memory item')
const reason = z.string().optional()
const idArgument = ['<id>', 'the id of an item'] as const

export const supersede: MemoryOperation = memoryOperation({
  name: 'supersede',
  effect: 'adds',
  input: z.object({ old: itemId, new: itemId, reason }),
  command: {
    description: 'record that one item replaced another',
    arguments: [
      ['<old>', 'the id of an item'],
      ['<new>', 'the id of an item'],
    ],
    input: ([old, newer]) => ({ old: String(old), new: String(newer) }),
  },
  toolDescription: 'Says that one memory item was true and has been replaced by another.',
  run: (input, access) =>
    changed(access, [input.old, input.new], () =>
      access.memory.supersede(input.old, input.new, input.reason),
    ),
  text: (items) => items.map(itemLine),
})

export const retract: MemoryOperation = memoryOperation({
  name: 'retract',
  effect: 'adds',
  input: z.object({ id: itemId, reason }),
  command: {
    description: 'record that an item was never true',
    arguments: [idArgument],
    input: ([id]) => ({ id: String(id) }),
  },
  toolDescription: 'Says that a memory item was never true.',
  run: (input, access) =>
    changed(access, [input.id], () => access.memory.retract(input.id, input.reason)),
  text: (items) => items.map(itemLine),
  answer: ([item]) => item,
})

export const undo: MemoryOperation = memoryOperation({
  name: 'undo',
  effect: 'adds',
  input: z.object({ id: itemId }),
  command: {
    description:
      'undo the last change of an item: its supersession, its retraction or its addition',
    arguments: [['<id>', 'the id of an item, or its first characters']],
    input: ([id]) => ({ id: String(id) }),
  },
  toolDescription:
    'Takes back the last change of a memory item: its supersession, its retraction or its addition.',
  run(input, access) {
    const id = wholeId(access, input.id)
    return changed(access, [id], () => access.memory.undo(id))
  },
  text: (items) => items.map(itemLine),
  answer: ([item]) => item,
})

/** The items as they are after the change was saved. */
async function changed(
  access: MemoryAccess,
  ids: readonly string[],
  change: () => void,
): Promise<readonly ItemView[]> {
  for (const id of ids) visibleItem(access, id)
  change()
  await access.memory.save()
  return ids.map((id) => itemView(access, visibleItem(access, id)))
}

const verdicts = ['newer', 'older', 'both'] as const

export const review: MemoryOperation = memoryOperation({
  name: 'review',
  effect: 'adds',
  input: z.object({
    flag: z.string().optional().describe('the id of a contradiction'),
    verdict: z.enum(verdicts).optional().describe('which of the two holds'),
  }),
  command: {
    description: 'show open contradictions, or settle one',
    arguments: [
      ['[flag]', 'the id of a contradiction'],
      ['[verdict]', 'newer, older or both: which of the two holds'],
    ],
    input([flag, given]) {
      const verdict = verdicts.find((each) => each === given)
      if (flag !== undefined && verdict === undefined)
        throw new PalimpsestError('usage', 'say which holds: newer, older or both')
      return flag === undefined ? {} : { flag: String(flag), verdict }
    },
  },
  toolDescription:
    'Contradictions that nobody has settled; with flag and verdict, settles one as the user says.',
  async run({ flag, verdict }, access) {
    const { memory, place } = access
    if ((flag === undefined) !== (verdict === undefined))
      throw new PalimpsestError('usage', 'to settle one, give flag and verdict')
    if (flag !== undefined && verdict !== undefined) {
      const items = memory.state.flags.get(flag)?.items
      if (access.caller === 'agent' && !items?.every((id) => canSee(access, id)))
        throw new PalimpsestError('usage', `there is no flag ${flag}`)
      memory.review(flag, verdict)
    }
    await memory.save()
    const { state } = memory
    return openFlags(state, place).map(({ id, items, reason: why }) => ({
      id,
      items,
      texts: items.map((item) => state.items.get(item)?.item.text ?? item),
      reason: why,
    }))
  },
  text: (open) =>
    open.length === 0
      ? ['nothing to review']
      : open.map(
          ({ id, texts: [older, newer], reason: why }) =>
            `${id}  “${older}” and “${newer}”: ${why}`,
        ),
})
