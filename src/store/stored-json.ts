import { PalimpsestError } from '../core/words/errors.ts'
import type { ItemDraft, ItemKind, MessageDraft, Role } from '../core/words/item.ts'
import { isJsonObject } from '../core/words/json.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import type { Addition, Receipt } from './store.ts'

const roles: ReadonlySet<string> = new Set<Role>([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
])
const kinds: ReadonlySet<string> = new Set<ItemKind>([
  'text',
  'reasoning',
  'call',
  'result',
  'attachment',
  'marker',
])

/** The content of an append without its texts. Unknown kinds of entries are allowed. */
export interface BlockBody {
  readonly messages: readonly BodyMessage[]
  readonly entries: readonly LedgerEntry[]
  readonly receipts: readonly Receipt[]
}

export interface BodyMessage {
  readonly previous: number | null
  /** The message without the texts of its items. */
  readonly draft: Readonly<Record<string, unknown>> & { readonly items: readonly unknown[] }
}

export function writeBody({ messages = [], entries = [], receipts = [] }: Addition): string {
  const bodies = messages.map(({ previous, draft }) => ({
    previous,
    draft: { ...draft, items: draft.items.map(({ text: _, ...rest }) => rest) },
  }))
  return JSON.stringify({ messages: bodies, entries, receipts })
}

export function readBody(json: string): BlockBody {
  const body = parsed(json)
  if (
    !isJsonObject(body) ||
    !listOf(body.messages, isBodyMessage) ||
    !listOf(body.entries, isLedgerEntry) ||
    !listOf(body.receipts, isJsonObject)
  ) {
    throw corrupt('a block')
  }
  const { messages, entries, receipts } = body
  return { messages, entries, receipts }
}

/** Adds the texts of the items to a message. */
export function withTexts({ draft }: BodyMessage, texts: readonly string[]): MessageDraft {
  if (draft.items.length !== texts.length) throw corrupt('an item of a message')
  const items = draft.items.map((item, ordinal) =>
    isJsonObject(item) ? { ...item, text: texts[ordinal] } : item,
  )
  const message: unknown = { ...draft, items }
  if (!isMessageDraft(message)) throw corrupt('a message')
  return message
}

export function isMessageDraft(value: unknown): value is MessageDraft {
  if (!isJsonObject(value) || typeof value.role !== 'string' || !roles.has(value.role)) return false
  return listOf(value.items, isItemDraft)
}

export function isLedgerEntry(value: unknown): value is LedgerEntry {
  return isJsonObject(value) && typeof value.kind === 'string'
}

export function listOf<One>(
  value: unknown,
  isOne: (one: unknown) => one is One,
): value is readonly One[] {
  return Array.isArray(value) && value.every(isOne)
}

function isBodyMessage(value: unknown): value is BodyMessage {
  if (!isJsonObject(value) || !isJsonObject(value.draft)) return false
  return isPosition(value.previous) && Array.isArray(value.draft.items)
}

export function isPosition(value: unknown): value is number | null {
  return value === null || Number.isInteger(value)
}

function isItemDraft(value: unknown): value is ItemDraft {
  return (
    isJsonObject(value) &&
    typeof value.text === 'string' &&
    typeof value.kind === 'string' &&
    kinds.has(value.kind)
  )
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    const message = 'the store is damaged: a block is not valid JSON'
    throw new PalimpsestError('store-corrupt', message, { cause })
  }
}

function corrupt(what: string): PalimpsestError {
  return new PalimpsestError('store-corrupt', `the store is damaged: ${what} cannot be read`)
}
