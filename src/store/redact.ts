import { noteOf, ownText, shorterInput } from '../core/render/input-note.ts'
import type { MessageDraft } from '../core/words/item.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import type { TextEdit } from './store.ts'
import type { SessionDump } from './transfer.ts'

/** The session with its texts edited; the very same when none of them changes. Names, kinds and numbers stay. */
export function redactedDump(dump: SessionDump, edit: TextEdit): SessionDump {
  const messages = mapped(dump.messages, (message) => {
    const draft = editedDraft(message.draft, edit)
    return draft === message.draft ? message : { ...message, draft }
  })
  const ledgers = mapped(dump.ledgers, (entries) =>
    mapped(entries, (entry) => editedEntry(entry, edit)),
  )
  const receipts = edited(dump.receipts, edit)
  const isSame =
    messages === dump.messages && ledgers === dump.ledgers && receipts === dump.receipts
  return isSame ? dump : { ...dump, messages, ledgers, receipts }
}

function editedDraft(message: MessageDraft, edit: TextEdit): MessageDraft {
  const items = mapped(message.items, (item) => {
    const text = edit(item.text, { message, item })
    return text === item.text ? item : { ...item, text }
  })
  const tree = edited(message.tree, edit)
  if (items === message.items && tree === message.tree) return message
  return { ...message, items, ...(tree === undefined ? {} : { tree }) }
}

function editedEntry(entry: LedgerEntry, edit: TextEdit): LedgerEntry {
  if (entry.kind !== 'decision' || entry.rendition.text === null) return entry
  const { rendition } = entry
  const [own, note] = [ownText(rendition) ?? '', noteOf(rendition)]
  const text = edit(own)
  if (note !== null) {
    const said = edit(note)
    if (text === own && said === note) return entry
    return { ...entry, rendition: shorterInput(rendition.how, text, said) }
  }
  return text === own ? entry : { ...entry, rendition: { ...rendition, text } }
}

/** Words by which programs tell things apart; nobody said them. */
const named: ReadonlySet<string> = new Set(['kind', 'opened', 'model'])

/** Every string in a JSON value; what has none that changes is the same object. */
function edited<Value>(value: Value, edit: TextEdit): Value {
  if (typeof value === 'string') return edit(value) as Value
  if (Array.isArray(value)) return mapped(value, (item) => edited(item, edit)) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, member]) => [key, named.has(key) ? member : edited(member, edit)] as const,
  )
  const isSame = entries.every(([key, member]) => member === value[key as keyof Value])
  return isSame ? value : (Object.fromEntries(entries) as Value)
}

function mapped<One>(list: readonly One[], change: (one: One) => One): readonly One[] {
  const next = list.map(change)
  return next.every((one, index) => one === list[index]) ? list : next
}
