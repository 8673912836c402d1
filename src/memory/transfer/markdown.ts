import { describeItem } from '../context/changes.ts'
import { currentItems } from '../context/choose-items.ts'
import type { MemoryItem, MemoryKind } from '../item.ts'
import { keyOfText } from '../key-of-text.ts'
import type { Memory, NewItem } from '../memory.ts'
import type { Place } from '../observe.ts'

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

export function hasMarkdownSection(file: string): boolean {
  return file.indexOf(end) > file.indexOf(begin) && file.includes(begin)
}

/** Puts the section into a file's text, in the place of the one that is there, or at the end. */
export function insertMarkdown(file: string, section: string): string {
  const from = file.indexOf(begin)
  const to = file.indexOf(end)
  if (from >= 0 && to > from) return file.slice(0, from) + section + file.slice(to + end.length)
  return `${file.trimEnd()}${file.trim() === '' ? '' : '\n\n'}${section}\n`
}

const keyed = /^\*\*(?<key>[^*]+)\*\*(?:\s*\((?<category>[^)]+)\))?\s*:\s*(?<value>.+)$/

/** The items of such a section; in a file without one, the entries below headings named like its own. */
export function readMarkdown(text: string): readonly NewItem[] {
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
    items.push(readEntry(kind, entry))
  }
  return items
}

function readEntry(kind: MemoryKind, entry: string): NewItem {
  const source = { origin: 'import' } as const
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
  const text = entry.replace(/\s*\[assistant\]$/, '')
  return {
    kind,
    text,
    ...(kind === 'preference'
      ? { category: 'instruction' }
      : { subject: kind === 'fact' ? 'user' : 'project', ...keyOfText(text) }),
    source,
  }
}
