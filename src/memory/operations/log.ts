import * as z from 'zod'
import { briefly, shortId } from '../listen/change-lines.ts'
import type { Memory } from '../memory.ts'
import type { Place } from '../observe.ts'
import { standing } from '../state/as-of.ts'
import type { ItemState } from '../state/memory-state.ts'
import { openFlags, visibleItems } from '../visible.ts'
import { type MemoryOperation, memoryOperation } from './operation.ts'

/** One change of the memory. */
export interface LoggedChange {
  readonly at: number
  readonly id: string
  readonly text: string
  /** The sentence that it was read from. */
  readonly quote?: string
}

const mostShown = 20

/** What changed in the memory, newest first, each with what `undo` needs. */
export const log: MemoryOperation = memoryOperation({
  name: 'log',
  effect: 'reads',
  input: z.object({
    limit: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe('at most so many; 20 when left out'),
  }),
  command: {
    description: 'what was remembered lately, newest first, with the id for undo',
    options: [['--limit <number>', 'at most so many', String(mostShown)]],
    help: `
Examples:
  palimpsest memory log
  palimpsest memory undo 3f9a1c2b`,
    input: (_, { limit }) => ({ limit: Number(limit ?? mostShown) }),
  },
  toolDescription:
    'Lists the latest changes of the memory, newest first, with the id for memory_undo.',
  run({ limit = mostShown }, access) {
    return changesIn(access).slice(0, limit)
  },
  text: (changes) =>
    changes.length === 0
      ? ['nothing has been remembered']
      : changes.map(({ at, text, quote }) => {
          const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
          return `${when}  ${text}${quote === undefined ? '' : `\n                  “${quote}”`}`
        }),
})

/** The changes that a place can see, or all of them, newest first; with `session`, only those that were said in it. */
export function changesIn(
  { memory, place }: { readonly memory: Memory; readonly place?: Place },
  session?: string,
): readonly LoggedChange[] {
  const { state } = memory
  const isSaidThere = ({ item }: ItemState): boolean =>
    session === undefined || item.source.session === session
  const value = (id: string): string => {
    const item = state.items.get(id)?.item
    return item?.value ?? item?.text ?? id
  }
  const flags = openFlags(state, place).flatMap(({ at, items: [older, newer] }) => {
    const entry = state.items.get(newer)
    if (entry !== undefined && !isSaidThere(entry)) return []
    const text = `may have changed: ${value(older)} → ${value(newer)} · settle it with memory review`
    return [{ at, id: newer, text }]
  })
  const changes = visibleItems(state, place)
    .filter(isSaidThere)
    .flatMap((entry) => changesOf(entry, value))
  return [...changes, ...flags].toSorted((a, b) => b.at - a.at)
}

function changesOf(entry: ItemState, value: (id: string) => string): readonly LoggedChange[] {
  const { item } = entry
  const undo = `undo ${shortId(item.id)}`
  const { quote } = item.source
  const replaced = standing(entry.replaces).map(({ old }) => value(old))
  const was = replaced.length === 0 ? '' : ` (was ${replaced.join(', ')})`
  const added: LoggedChange = {
    at: item.recordedAt,
    id: item.id,
    text: `remembered: ${briefly(item)}${was} · ${undo}`,
    ...(quote === undefined ? {} : { quote }),
  }
  const endings = standing(entry.endings).map(({ recordedAt }) => ({
    at: recordedAt,
    id: item.id,
    text: `no longer holds: ${briefly(item)} · ${undo}`,
  }))
  const retractions = standing(entry.retractions).map(({ recordedAt }) => ({
    at: recordedAt,
    id: item.id,
    text: `retracted: ${briefly(item)} · ${undo}`,
  }))
  return [added, ...endings, ...retractions]
}
