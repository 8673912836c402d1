import { PalimpsestError } from '../core/words/errors.ts'
import type { Addition, Extent, SessionKey } from './store.ts'

/** Compares the stored session with what the caller knows. A caller may start the next ledger. */
export function compareExtents(stored: Extent, expected: Extent): 'even' | 'behind' | 'gone' {
  if (stored.messages < expected.messages) return 'gone'
  if (stored.messages > expected.messages || stored.ledger > expected.ledger) return 'behind'
  if (expected.ledger === stored.ledger + 1 && expected.entries === 0) return 'even'
  if (stored.ledger < expected.ledger || stored.entries < expected.entries) return 'gone'
  return stored.entries > expected.entries ? 'behind' : 'even'
}

export function extentAfter({ expected, messages = [], entries = [] }: Addition): Extent {
  return {
    messages: expected.messages + messages.length,
    ledger: expected.ledger,
    entries: expected.entries + entries.length,
  }
}

export function headAfter({ expected, messages = [], head }: Addition): number | undefined {
  if (head !== undefined) return head
  return messages.length === 0 ? undefined : expected.messages + messages.length - 1
}

/** Throws when a store cannot keep the session's key. */
export function refuseBadKey({ id, parent, origin, folder, credential }: SessionKey): void {
  if (id === '') throw new PalimpsestError('usage', 'a session without an id cannot be stored')
  for (const [name, value] of Object.entries({ id, parent, origin, folder, credential })) {
    if (typeof value === 'string') refuseBadText(`the ${name} of a session`, value)
  }
}

/** Throws when the addition is inconsistent. */
export function refuseBadAddition({
  expected,
  messages = [],
  statistics = {},
  head,
}: Addition): void {
  for (const [offset, { previous, draft, handles }] of messages.entries()) {
    const position = expected.messages + offset
    if (handles.length !== draft.items.length) {
      throw misfit(
        `message ${position} has ${draft.items.length} items but ${handles.length} handles`,
      )
    }
    for (const handle of handles) refuseBadText('a handle', handle)
    if (previous !== null && !(Number.isInteger(previous) && previous >= 0 && previous < position))
      throw misfit(`message ${position} cannot follow message ${previous}`)
  }
  for (const [name, value] of Object.entries(statistics)) {
    refuseBadText('the name of a statistic', name)
    if (!Number.isFinite(value)) throw misfit(`the statistic ${name} is ${value}`)
  }
  const end = expected.messages + messages.length
  if (head !== undefined && !(Number.isInteger(head) && head >= 0 && head < end))
    throw misfit(`message ${head} cannot be the last of a history`)
}

/** Some drivers end a text at a NUL, and none stores lone surrogates. */
function refuseBadText(what: string, text: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return
  throw new PalimpsestError('usage', `${what} cannot be stored: ${JSON.stringify(text)}`)
}

function misfit(message: string): PalimpsestError {
  return new PalimpsestError('usage', `an addition to a session is inconsistent: ${message}`)
}
