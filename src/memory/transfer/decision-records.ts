import type { MemoryItem } from '../item.ts'
import type { Memory } from '../memory.ts'
import type { Place } from '../observe.ts'
import { isRetracted, standing } from '../state/as-of.ts'
import type { ItemState } from '../state/memory-state.ts'
import { visibleItems } from '../visible.ts'
import type { ImportedItem } from './json-lines.ts'

/** One architecture decision record: https://adr.github.io */
export interface DecisionRecord {
  readonly file: string
  readonly text: string
}

/** The decisions that a place can see, or all of them, as numbered records, oldest first, with status and links. */
export function exportDecisionRecords(memory: Memory, place?: Place): readonly DecisionRecord[] {
  const { state } = memory
  const decisions = visibleItems(state, place).filter(({ item }) => item.kind === 'decision')
  const numbers = new Map(decisions.map(({ item }, index) => [item.id, index + 1]))
  const files = new Map(
    decisions.map(({ item }) => [item.id, fileName(numbers.get(item.id)!, item.text)]),
  )
  const link = (id: string): string => {
    const entry = state.items.get(id)
    if (!entry) return 'a forgotten decision'
    if (!numbers.has(id)) return 'a decision of another project'
    return `[${numbers.get(id)}. ${title(entry.item)}](${files.get(id)})`
  }
  return decisions.map((entry) => ({
    file: files.get(entry.item.id)!,
    text: recordText(entry, numbers.get(entry.item.id)!, link),
  }))
}

function recordText(entry: ItemState, number: number, link: (id: string) => string): string {
  const { item } = entry
  const newer = standing(entry.replacedBy).map((found) => `Superseded by ${link(found.new)}`)
  const older = standing(entry.replaces).map((found) => `Supersedes ${link(found.old)}`)
  const status = isRetracted(entry) ? ['Rejected'] : newer.length > 0 ? newer : ['Accepted']
  return [
    `# ${number}. ${title(item)}`,
    `Date: ${new Date(item.validFrom).toISOString().slice(0, 10)}`,
    '## Status',
    ...status,
    ...older,
    '## Context',
    item.rationale ?? 'Not recorded.',
    '## Decision',
    item.text,
    ...(item.alternatives === undefined || item.alternatives.length === 0
      ? []
      : ['## Alternatives', item.alternatives.map((other) => `- ${other}`).join('\n')]),
    `<!-- id: ${item.id} -->`,
    '',
  ].join('\n\n')
}

function title(item: MemoryItem): string {
  const [first = ''] = item.text.split('\n')
  return first.length > 80 ? `${first.slice(0, 79)}…` : first
}

function fileName(number: number, text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50)
  return `${String(number).padStart(4, '0')}-${slug || 'decision'}.md`
}

const linked = /\]\(([^)]+\.md)\)/gi
const numbered = /(?:^|[\s,;:&(])(?:(?:ADR|PEP|RFC)[- ]?|#)?0*(\d+)\b/gi

/** Reads decision records in the usual layouts (Nygard, MADR). A link may be given on one side only. */
export function readDecisionRecords(records: readonly DecisionRecord[]): readonly ImportedItem[] {
  const parsedRecords = records.map((record) => ({ record, ...parseRecord(record) }))
  const byNumber = new Map(
    parsedRecords.flatMap((found) =>
      found.number === undefined ? [] : [[found.number, found.id] as const],
    ),
  )
  const byFile = new Map(parsedRecords.map((found) => [found.record.file, found.id]))
  const resolve = (line: string): readonly string[] => {
    // The link target names the file; numbers in the text are part of the title.
    const files = [...line.matchAll(linked)].map(([, file = '']) =>
      byFile.get(file.replace(/^.*\//, '')),
    )
    const numbers = [...line.matchAll(numbered)].map(([, number]) => byNumber.get(Number(number)))
    return (files.length > 0 ? files : numbers).filter((id) => id !== undefined)
  }
  const newer = new Map<string, Set<string>>()
  const link = (old: string, by: string): void => {
    if (old === by) return
    newer.set(old, (newer.get(old) ?? new Set()).add(by))
  }
  for (const { id, lines } of parsedRecords)
    for (const line of lines) {
      const by = /super[sc]eded[- ]by\b(.*)/i.exec(line)?.[1]
      if (by !== undefined) for (const other of resolve(by)) link(id, other)
      const over = /\bsuper[sc]edes\b(.*)|\breplaces\b(.*)/i.exec(line)
      if (over) for (const other of resolve(over[1] ?? over[2] ?? '')) link(other, id)
    }
  return parsedRecords.map(({ id, text, rationale, validFrom, rejected }) => ({
    item: {
      id,
      kind: 'decision',
      text,
      subject: 'project',
      ...(rationale === undefined ? {} : { rationale }),
      ...(validFrom === undefined ? {} : { validFrom }),
      source: { origin: 'import' },
    },
    supersededBy: [...(newer.get(id) ?? [])],
    retracted: rejected,
  }))
}

function parseRecord({ file, text: whole }: DecisionRecord): {
  readonly id: string
  readonly number: number | undefined
  readonly text: string
  readonly rationale: string | undefined
  readonly validFrom: number | undefined
  readonly rejected: boolean
  readonly lines: readonly string[]
} {
  const heading = /^#\s+(?:(?:ADR[- ]?)?0*(\d+)[.:)]?\s*[-–—]?\s*)?(.+)$/im.exec(whole)
  const number = heading?.[1] ?? /^0*(\d+)/.exec(file.replace(/^.*\//, ''))?.[1]
  const status = [
    section(whole, 'status'),
    /^status:\s*(.+)$/im.exec(whole)?.[1],
    ...(whole.match(/^.*super[sc]ede.*$/gim) ?? []),
  ]
    .filter((part) => part !== undefined)
    .join('\n')
  const date =
    /^(?:date:\s*|\*\s*date:\s*)?(\d{4}-\d\d-\d\d)\b/im.exec(whole)?.[1] ??
    /date:\s*(\d{4}-\d\d-\d\d)/i.exec(whole)?.[1]
  const context = section(whole, 'context')
  return {
    id:
      /<!-- id: (\S+) -->/.exec(whole)?.[1] ??
      `decision_${file.replace(/^.*\//, '').replace(/\.md$/, '')}`,
    number: number === undefined ? undefined : Number(number),
    text: section(whole, 'decision')?.split('\n\n')[0]?.trim() || (heading?.[2] ?? file).trim(),
    rationale: context === 'Not recorded.' ? undefined : context,
    validFrom: date === undefined ? undefined : Date.parse(date),
    rejected: /\b(?:rejected|withdrawn)\b/i.test(section(whole, 'status') ?? ''),
    lines: status.split('\n'),
  }
}

function section(text: string, name: string): string | undefined {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => new RegExp(`^#{2,3}\\s+${name}\\b`, 'i').test(line))
  if (start < 0) return undefined
  const length = lines.slice(start + 1).findIndex((line) => /^#{1,3}\s/.test(line))
  const body = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n')
  return body.replace(/<!--[\s\S]*?-->/g, '').trim()
}
