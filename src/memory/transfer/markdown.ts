import { comparable } from '../comparable.ts'
import { describeItem } from '../context/changes.ts'
import { currentItems } from '../context/choose-items.ts'
import type { MemoryItem, MemoryKind } from '../item.ts'
import { keyOfText } from '../key-of-text.ts'
import type { Memory, NewItem } from '../memory.ts'
import type { Place } from '../observe.ts'
import { type ImportReport, importItems } from './json-lines.ts'

const begin = '<!-- palimpsest memory: written by `palimpsest memory export` -->'
const end = '<!-- end of palimpsest memory -->'
const titles: readonly (readonly [MemoryKind, string])[] = [
  ['preference', '### Preferences'],
  ['fact', '### Facts'],
  ['decision', '### Decisions'],
]

/** The current items as a section for CLAUDE.md or AGENTS.md. */
export function exportMarkdown(memory: Memory, place: Place): string {
  const items = currentItems(memory.state, place, memory.now()).map(({ item }) => item)
  const parts = titles.flatMap(([kind, title]) => {
    const lines = items
      .filter((item) => item.kind === kind)
      .map((item) => `- ${markdownLine(item)}`)
    return lines.length === 0 ? [] : [[title, '', ...lines].join('\n')]
  })
  return [begin, '## Memory', ...parts, end].join('\n\n')
}

/** An item as a line of that section. */
export function markdownLine(item: MemoryItem): string {
  if (item.kind === 'preference' && item.attribute !== undefined && item.value !== undefined)
    return `**${item.attribute}** (${item.category ?? 'general'}): ${item.value}`
  return describeItem(item)
}

/** Where the section begins and ends in a file's text; null when there is none. */
export function markdownSection(
  file: string,
): { readonly start: number; readonly end: number } | null {
  const start = file.indexOf(begin)
  const last = file.indexOf(end)
  return start >= 0 && last > start ? { start, end: last + end.length } : null
}

/** Replaces the section in a file's text, or appends it. */
export function insertMarkdown(file: string, section: string): string {
  const known = markdownSection(file)
  if (known !== null) return file.slice(0, known.start) + section + file.slice(known.end)
  return `${file.trimEnd()}${file.trim() === '' ? '' : '\n\n'}${section}\n`
}

/** Imports such a section. Items that are known in the same words do not change. */
export function importMarkdown(memory: Memory, text: string, place: Place): ImportReport {
  const known = new Set(
    currentItems(memory.state, place, memory.now()).map(({ item }) => saidKey(item)),
  )
  const items = readMarkdown(text, place.project)
  const news = items.filter((item) => !known.has(saidKey(item)))
  const report = importItems(
    memory,
    news.map((item) => ({ item, supersededBy: [], retracted: false })),
  )
  return { ...report, known: report.known + items.length - news.length }
}

function saidKey({ kind, text }: Pick<MemoryItem, 'kind' | 'text'>): string {
  return `${kind} ${comparable(text)}`
}

const keyed = /^\*\*(?<key>[^*]+)\*\*(?:\s*\((?<category>[^)]+)\))?\s*:\s*(?<value>.+)$/

/**
 * The items of such a section; in a file without one, the entries below headings with the same names. Decisions get the
 * scope of the project, everything else the user's.
 */
function readMarkdown(text: string, project: string): readonly NewItem[] {
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  const section = from >= 0 && to > from ? text.slice(from, to) : text
  const items: NewItem[] = []
  let kind: MemoryKind | undefined
  for (const line of section.split('\n')) {
    const heading = /^#{1,6}\s+(.+)$/.exec(line)?.[1]
    if (heading !== undefined) {
      kind = titles.find(([, title]) =>
        title.slice(4).toLowerCase().startsWith(heading.trim().toLowerCase().replace(/s$/, '')),
      )?.[0]
      continue
    }
    const entry = /^\s*[-*]\s+(.+)$/.exec(line)?.[1]?.trim()
    if (kind === undefined || entry === undefined) continue
    const item = readEntry(kind, entry)
    items.push(kind === 'decision' ? { ...item, scope: `project:${project}` } : item)
  }
  return items
}

function readEntry(kind: MemoryKind, entry: string): NewItem {
  const source = { origin: /\[assistant\]$/.test(entry) ? 'assistant' : 'import' } as const
  const match = keyed.exec(entry)?.groups
  if (kind === 'preference' && match?.key !== undefined && match.value !== undefined)
    return {
      kind,
      text: `${match.key.replaceAll('_', ' ')}: ${match.value}`,
      category: match.category ?? 'general',
      attribute: match.key,
      value: match.value,
      source,
    }
  const said = entry.replace(/\s*\[assistant\]$/, '')
  const why =
    kind === 'decision' ? /^(?<text>.+\S)\s+\((?<why>[^()]+)\)$/u.exec(said)?.groups : undefined
  const text = why?.text ?? said
  return {
    kind,
    text,
    ...(why?.why === undefined ? {} : { rationale: why.why }),
    ...(kind === 'preference'
      ? { category: 'instruction' }
      : { subject: kind === 'fact' ? 'user' : 'project', ...keyOfText(text) }),
    source,
  }
}
