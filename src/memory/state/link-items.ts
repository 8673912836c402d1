import { PalimpsestError } from '../../core/words/errors.ts'
import { outlives } from '../item.ts'
import { isRetracted, standing } from './as-of.ts'
import type { MemoryEvent } from './event.ts'
import type { ItemState, MemoryState } from './memory-state.ts'

export interface LinkInput {
  readonly old: string
  readonly new: string
  readonly at: number
  /** When the newer item became true; its `validFrom` when left out. */
  readonly validAt?: number
  readonly reason?: string
}

/** Records that one item replaced another. Repeating it changes nothing. Throws when it would break a chain. */
export function planSupersede(state: MemoryState, input: LinkInput): readonly MemoryEvent[] {
  const old = knownItem(state, input.old)
  const replacement = knownItem(state, input.new)
  const name = `${input.old} by ${input.new}`
  if (old === replacement) refuse(`${input.old} cannot supersede itself`)
  if (old.item.kind !== replacement.item.kind)
    refuse(
      `cannot supersede ${name}: the first is a ${old.item.kind}, the second a ${replacement.item.kind}`,
    )
  if (!outlives(replacement.item.scope, old.item.scope))
    refuse(
      `cannot supersede ${name}: the second lives in ${replacement.item.scope} and would be gone before the first, ` +
        `which lives in ${old.item.scope}`,
    )
  for (const entry of [old, replacement])
    if (isRetracted(entry))
      refuse(
        `cannot supersede ${name}: ${entry.item.id} was retracted; \`memory undo\` brings it back`,
      )
  if (state.activeLink(input.old, input.new)) return []
  if (reaches(state, input.new, input.old))
    refuse(
      `cannot supersede ${name}: the second is already replaced by the first, they would form a cycle`,
    )
  return [
    {
      kind: 'superseded',
      at: input.at,
      old: input.old,
      new: input.new,
      validAt: Math.max(input.validAt ?? replacement.item.validFrom, old.item.validFrom),
      ...(input.reason === undefined ? {} : { reason: input.reason }),
    },
  ]
}

export function knownItem(state: MemoryState, id: string): ItemState {
  const entry = state.items.get(id)
  if (entry) return entry
  throw new PalimpsestError(
    'absent',
    state.tombstones.has(id)
      ? `${id} was forgotten; its content is gone`
      : `there is no memory item ${id}; \`memory list --all\` shows those that exist`,
  )
}

/** Whether the chain from one item leads to another. */
export function reaches(state: MemoryState, from: string, to: string): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true
    if (seen.has(id)) continue
    seen.add(id)
    for (const link of standing(state.items.get(id)?.replacedBy ?? [])) open.push(link.new)
  }
  return false
}

export function refuse(message: string): never {
  throw new PalimpsestError('usage', message)
}
