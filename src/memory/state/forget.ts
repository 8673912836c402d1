import { withoutItems } from '../inject/injected.ts'
import type { ItemSource } from '../item.ts'
import { heardKey, type MemoryEvent } from './event.ts'
import type { MemoryState } from './memory-state.ts'

/** The plan of `forget`: how to rewrite each event, and the tombstones to add. */
export interface ForgetPlan {
  readonly edit: (event: MemoryEvent) => MemoryEvent | null
  readonly tombstones: readonly MemoryEvent[]
  readonly items: readonly string[]
  readonly messages: readonly string[]
}

/** What is removed besides the items. */
export interface ForgetBesides {
  /** Keys of messages. */
  readonly messages?: readonly string[]
  /** Whether a text contains what is forgotten; reasons that do are removed. */
  isSaid?(text: string): boolean
}

/**
 * Removes items and the messages they came from, from the whole log. Links keep their ids, so that chains show where
 * something was.
 */
export function planForget(
  state: MemoryState,
  input: ForgetBesides & { readonly items: readonly string[]; readonly at: number },
): ForgetPlan {
  const items = new Set(input.items.filter((id) => state.items.has(id)))
  const messages = new Set(input.messages ?? [])
  for (const id of items) {
    const entry = state.items.get(id)!
    for (const source of [entry.item.source, ...entry.reinforcements.map(({ source }) => source)])
      if (source.message !== undefined) messages.add(sourceKey(source))
  }
  const isSaid = (reason: string | undefined): boolean =>
    reason !== undefined && input.isSaid?.(reason) === true
  const edit = (event: MemoryEvent): MemoryEvent | null => {
    switch (event.kind) {
      case 'added':
        return items.has(event.item.id) ? null : withoutQuote(event, messages)
      case 'reinforced': {
        if (items.has(event.id)) return null
        return messages.has(sourceKey(event.source))
          ? { ...event, source: { origin: event.source.origin } }
          : event
      }
      case 'superseded':
        return items.has(event.old) || items.has(event.new) || isSaid(event.reason)
          ? withoutReason(event)
          : event
      case 'retracted':
        if (items.has(event.id)) return null
        return isSaid(event.reason) ? withoutReason(event) : event
      case 'unretracted':
      case 'ended':
      case 'resumed':
        return items.has(event.id) ? null : event
      case 'flagged':
        return event.items.some((id) => items.has(id)) ? null : event
      case 'told': {
        const told = withoutItems(event.told, items)
        return told === event.told ? event : { ...event, told }
      }
      case 'heard':
        return messages.has(heardKey(event.message)) ? null : event
      default:
        return event
    }
  }
  const tombstones = [...items].map(
    (id): MemoryEvent => ({
      kind: 'forgotten',
      at: input.at,
      id,
      was: state.items.get(id)!.item.kind,
    }),
  )
  return { edit, tombstones, items: [...items], messages: [...messages] }
}

function sourceKey(source: ItemSource): string {
  return heardKey({ session: source.session ?? '', id: source.message ?? '' })
}

function withoutReason<Event extends { readonly reason?: string }>(
  event: Event,
): Omit<Event, 'reason'> {
  const { reason: _, ...rest } = event
  return rest
}

function withoutQuote(
  event: Extract<MemoryEvent, { readonly kind: 'added' }>,
  messages: ReadonlySet<string>,
): MemoryEvent {
  if (!messages.has(sourceKey(event.item.source))) return event
  const { message: _, quote: __, ...source } = event.item.source
  return { ...event, item: { ...event.item, source } }
}
