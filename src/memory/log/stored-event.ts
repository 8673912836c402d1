import { PalimpsestError } from '../../core/words/errors.ts'
import { parseJson } from '../../core/words/json.ts'
import type { MemoryEvent } from '../state/event.ts'

const kinds: Readonly<Record<MemoryEvent['kind'], readonly string[]>> = {
  added: ['item'],
  superseded: ['old', 'new', 'validAt'],
  unlinked: ['old', 'new'],
  ended: ['id', 'validAt'],
  resumed: ['id'],
  retracted: ['id'],
  unretracted: ['id'],
  reinforced: ['id', 'validAt', 'source'],
  flagged: ['id', 'items', 'reason'],
  reviewed: ['flag', 'verdict'],
  declared: ['attribute', 'cardinality'],
  heard: ['message'],
  told: ['told'],
  exported: ['path', 'format', 'project'],
  forgotten: ['id', 'was'],
}

/** An event as it was stored. Throws `store-corrupt` where the text is no event. */
export function parseEvent(text: string): MemoryEvent {
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && 'kind' in value && 'at' in value) {
    const fields = kinds[value.kind as MemoryEvent['kind']]
    if (fields?.every((field) => field in value)) return value as MemoryEvent
  }
  throw new PalimpsestError(
    'store-corrupt',
    `an event of the memory cannot be read: ${text.slice(0, 80)}`,
  )
}
