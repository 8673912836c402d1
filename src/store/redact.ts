import type { SessionDump } from './transfer.ts'

/** The session with its texts edited; the very same when none of them changes. Names and numbers stay. */
export function redactedDump(dump: SessionDump, edit: (text: string) => string): SessionDump {
  const { messages, ledgers, receipts } = dump
  const drafts = messages.map((message) => {
    const draft = edited(message.draft, edit)
    return draft === message.draft ? message : { ...message, draft }
  })
  const [entries, kept] = [edited(ledgers, edit), edited(receipts, edit)]
  const isSame =
    entries === ledgers &&
    kept === receipts &&
    drafts.every((message, index) => message === messages[index])
  return isSame ? dump : { ...dump, messages: drafts, ledgers: entries, receipts: kept }
}

/** Every string in a JSON value; what has none that changes is the same object. */
function edited<Value>(value: Value, edit: (text: string) => string): Value {
  if (typeof value === 'string') return edit(value) as Value
  if (Array.isArray(value)) {
    const items = value.map((item) => edited(item, edit))
    return items.every((item, index) => item === value[index]) ? value : (items as Value)
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, member]) => [key, edited(member, edit)] as const)
  const isSame = entries.every(([key, member]) => member === value[key as keyof Value])
  return isSame ? value : (Object.fromEntries(entries) as Value)
}
