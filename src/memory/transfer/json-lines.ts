import { PalimpsestError } from '../../core/words/errors.ts'
import { parseJson } from '../../core/words/json.ts'
import type { ItemSource, MemoryItem, MemoryKind, Scope } from '../item.ts'
import type { Memory } from '../memory.ts'
import type { Place } from '../observe.ts'
import { standing, statusAt } from '../state/as-of.ts'
import { visibleItems } from '../visible.ts'

/** One item with its status and links; a line of an export. */
export interface ExportedItem extends MemoryItem {
  readonly status: string
  readonly supersededBy: readonly { readonly id: string; readonly validAt: number }[]
  readonly retracted?: true
}

/** The items that a place can see, or all of them, with superseded and retracted ones, oldest first. */
export function exportJsonLines(memory: Memory, place?: Place): readonly string[] {
  const now = memory.now()
  return visibleItems(memory.state, place).map((entry) => {
    const status = statusAt(entry, now)
    const line: ExportedItem = {
      ...entry.item,
      status,
      supersededBy: standing(entry.replacedBy).map((link) => ({
        id: link.new,
        validAt: link.validAt,
      })),
      ...(status === 'retracted' ? { retracted: true } : {}),
    }
    return JSON.stringify(line)
  })
}

/** The lines of an export with their current content. Adds no lines. */
export function renewedJsonLines(memory: Memory, text: string): readonly string[] {
  const ids = new Set(text.split('\n').map((line) => readItem(line)?.item.id))
  return exportJsonLines(memory).filter((line) => ids.has(readItem(line)?.item.id))
}

export interface ImportReport {
  readonly added: number
  readonly known: number
  readonly links: number
  /** What could not be imported, with the reason. */
  readonly refused: readonly string[]
}

/** The items of an export, and the lines that are not items. */
export function readJsonLines(lines: Iterable<string>): {
  readonly items: readonly ImportedItem[]
  readonly refused: readonly string[]
} {
  const items: ImportedItem[] = []
  const refused: string[] = []
  let number = 0
  for (const line of lines) {
    number++
    if (line.trim() === '') continue
    const item = readItem(line)
    if (item) items.push(item)
    else refused.push(`line ${number} is not a memory item`)
  }
  return { items, refused }
}

export interface ImportedItem {
  readonly item: Partial<MemoryItem> & { readonly kind: MemoryKind; readonly text: string }
  readonly supersededBy: readonly string[]
  readonly retracted: boolean
}

/** The existing items that an import would supersede or retract. */
export function importChanges(memory: Memory, items: readonly ImportedItem[]): readonly string[] {
  return items.flatMap(({ item: { id }, supersededBy, retracted }) => {
    const known = id === undefined ? undefined : memory.state.items.get(id)
    if (id === undefined || known === undefined) return []
    const isLinked = supersededBy.some((newer) => memory.state.activeLink(id, newer) === undefined)
    const isRetracting = retracted && statusAt(known, memory.now()) !== 'retracted'
    return isLinked || isRetracting ? [id] : []
  })
}

/** Adds items with their own ids and their own `validFrom`, then the links between them. */
export function importItems(
  memory: Memory,
  items: readonly ImportedItem[],
  problems: readonly string[] = [],
): ImportReport {
  const names = new Map<string, string>()
  const refused = [...problems]
  let added = 0
  let known = 0
  for (const { item } of items) {
    if (item.id !== undefined && memory.state.items.has(item.id)) {
      known++
      names.set(item.id, item.id)
      continue
    }
    const plan = memory.add({ ...item, source: item.source ?? { origin: 'import' } })
    if (plan.outcome === 'added') added++
    else known++
    if (item.id !== undefined) names.set(item.id, plan.id)
  }
  let links = 0
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!PalimpsestError.is(error)) throw error
      refused.push(error.message)
    }
  }
  for (const { item, supersededBy, retracted } of items) {
    const id = item.id === undefined ? undefined : names.get(item.id)
    if (id === undefined) continue
    for (const newer of supersededBy) {
      const target = names.get(newer) ?? newer
      if (memory.state.activeLink(id, target)) continue
      attempt(() => {
        memory.supersede(id, target)
        links++
      })
    }
    if (retracted) attempt(() => memory.retract(id))
  }
  return { added, known, links, refused }
}

/** True for a line as `exportJsonLines` writes it. */
export function isExportedLine(line: string): boolean {
  const value = parseJson(line)
  const isItem = typeof value === 'object' && value !== null && 'id' in value && 'status' in value
  return isItem && readItem(line) !== undefined
}

const kinds: ReadonlySet<string> = new Set(['fact', 'preference', 'decision'])

function readItem(line: string): ImportedItem | undefined {
  const value = parseJson(line)
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Readonly<Record<string, unknown>>
  const { kind, text } = fields
  if (typeof kind !== 'string' || !kinds.has(kind) || typeof text !== 'string') return undefined
  const texts = ['id', 'category', 'subject', 'attribute', 'value', 'rationale'] as const
  const item: Record<string, unknown> = { kind, text }
  for (const name of texts) if (typeof fields[name] === 'string') item[name] = fields[name]
  for (const name of ['confidence', 'validFrom', 'expiresAt'] as const)
    if (typeof fields[name] === 'number' && Number.isFinite(fields[name])) item[name] = fields[name]
  for (const name of ['alternatives', 'relatedFiles'] as const) {
    const list = fields[name]
    if (Array.isArray(list) && list.every((each) => typeof each === 'string')) item[name] = list
  }
  if (isScope(fields.scope)) item.scope = fields.scope
  const source = readSource(fields.source)
  if (source !== undefined) item.source = source
  const supersededBy = Array.isArray(fields.supersededBy) ? fields.supersededBy : []
  return {
    item: item as unknown as ImportedItem['item'],
    supersededBy: supersededBy.flatMap((link: unknown) =>
      typeof link === 'string'
        ? [link]
        : typeof link === 'object' && link !== null && 'id' in link && typeof link.id === 'string'
          ? [link.id]
          : [],
    ),
    retracted: fields.retracted === true,
  }
}

const origins: ReadonlySet<string> = new Set(['user', 'assistant', 'import', 'model'])

/** The source is imported too, because an assistant's item must not replace a user's item. */
function readSource(value: unknown): ItemSource | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { origin, message, session, quote } = value as Readonly<Record<string, unknown>>
  if (typeof origin !== 'string' || !origins.has(origin)) return undefined
  return {
    origin: origin as ItemSource['origin'],
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof session === 'string' ? { session } : {}),
    ...(typeof quote === 'string' ? { quote } : {}),
  }
}

function isScope(value: unknown): value is Scope {
  return typeof value === 'string' && /^(?:user|(?:team|project|session):.+)$/s.test(value)
}
