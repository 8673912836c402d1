import { describe, expect, it } from 'vitest'
import { createInMemoryLog } from '../log/memory-log.ts'
import { Memory } from '../memory.ts'
import { itemsAsOf, standing } from '../state/as-of.ts'
import { exportDecisionRecords, readDecisionRecords } from './decision-records.ts'
import {
  exportJsonLines,
  type ImportReport,
  importItems,
  readJsonLines,
  renewedJsonLines,
} from './json-lines.ts'
import { exportMarkdown, importMarkdown, insertMarkdown } from './markdown.ts'

const place = { project: 'shop', session: 'monday' }

function importJsonLines(memory: Memory, lines: readonly string[]): ImportReport {
  const { items, refused } = readJsonLines(lines)
  return importItems(memory, items, refused)
}

function open(prefix: string): Memory {
  let clock = Date.UTC(2026, 0, 1)
  let count = 0
  return new Memory({
    log: createInMemoryLog(),
    now: () => clock++,
    newId: (kind) => `${kind}_${prefix}${++count}`,
  })
}

const texts = (memory: Memory): readonly string[] =>
  itemsAsOf(memory.state, memory.now()).map(({ item }) => item.text)

function filled(): Memory {
  const memory = open('a')
  const editor = { kind: 'preference', category: 'tooling', attribute: 'editor' } as const
  memory.add({ ...editor, text: 'editor: Vim', value: 'Vim' })
  memory.add({ ...editor, text: 'editor: Zed', value: 'Zed' })
  const first = memory.add({
    kind: 'decision',
    text: 'Queue mails in a table',
    rationale: 'no broker yet',
  })
  const second = memory.add({ kind: 'decision', text: 'Queue mails in a broker' })
  memory.supersede(first.id, second.id)
  return memory
}

describe('carrying a memory elsewhere', () => {
  it('as JSON Lines of one project takes in no other, also when something of it is forgotten', () => {
    const memory = filled()
    const inProject = (project: string, text: string): string =>
      memory.add({ kind: 'fact', text, scope: `project:${project}` }).id
    const secret = inProject('shop', 'the safe opens with 4711')
    inProject('bank', 'the vault opens with 815')
    const exported = exportJsonLines(memory, place)
    expect(exported.join('\n')).toContain('4711')
    expect(exported).toHaveLength(5)
    memory.forget([secret])
    expect(renewedJsonLines(memory, exported.join('\n'))).toEqual(exportJsonLines(memory, place))
  })

  it('as JSON Lines keeps items, links and retractions, and doing it twice changes nothing', () => {
    const source = filled()
    const wrong = source.add({ kind: 'fact', text: 'never true' })
    source.retract(wrong.id)
    const target = open('b')
    const lines = exportJsonLines(source)
    expect(importJsonLines(target, lines)).toEqual({ added: 5, known: 0, links: 1, refused: [] })
    expect(texts(target)).toEqual(['editor: Zed', 'Queue mails in a broker'])
    expect(exportJsonLines(target).map((line) => JSON.parse(line).supersededBy.length)).toEqual([
      1, 0, 1, 0, 0,
    ])
    expect(importJsonLines(target, lines)).toMatchObject({ added: 0, known: 5, links: 0 })
    expect(importJsonLines(target, ['{"kind":"joke"}']).refused).toEqual([
      'line 1 is not a memory item',
    ])
  })

  it('keeps who said something, so that no conclusion of an assistant replaces it elsewhere', () => {
    const memory = open('a')
    const editor = { kind: 'preference', category: 'tooling', attribute: 'editor' } as const
    const quote = { message: 'm1', session: 's1', quote: 'I use Vim' }
    memory.add({
      ...editor,
      text: 'editor: Vim',
      value: 'Vim',
      source: { origin: 'user', ...quote },
    })
    memory.add({ ...editor, text: 'editor: Zed', value: 'Zed', source: { origin: 'assistant' } })
    memory.add({
      kind: 'decision',
      text: 'Use SQLite',
      alternatives: ['MySQL'],
      relatedFiles: ['db.ts'],
    })
    const target = open('b')
    importJsonLines(target, exportJsonLines(memory))
    const withoutTime = (from: Memory): readonly object[] =>
      exportJsonLines(from).map((line) => ({ ...JSON.parse(line), recordedAt: 0 }))
    expect(withoutTime(target)).toEqual(withoutTime(memory))
  })

  it('as a Markdown section is read back, and replaces itself in a file', () => {
    const section = exportMarkdown(filled(), place)
    const file = insertMarkdown('# Rules\n\nBe kind.\n', section)
    expect(file).toContain('Be kind.')
    expect(insertMarkdown(file, section)).toBe(file)
    const target = open('b')
    expect(importMarkdown(target, file, place)).toMatchObject({ added: 2, known: 0 })
    expect(texts(target)).toEqual(['editor: Zed', 'Queue mails in a broker'])
    expect(importMarkdown(target, file, place)).toMatchObject({ added: 0, known: 2 })
    expect(texts(target)).toEqual(['editor: Zed', 'Queue mails in a broker'])
  })

  it('as decision records keeps both directions of a link', () => {
    const records = exportDecisionRecords(filled())
    expect(records.map(({ file }) => file)).toEqual([
      '0001-queue-mails-in-a-table.md',
      '0002-queue-mails-in-a-broker.md',
    ])
    expect(records[0]?.text).toContain(
      'Superseded by [2. Queue mails in a broker](0002-queue-mails-in-a-broker.md)',
    )
    expect(records[1]?.text).toContain(
      'Supersedes [1. Queue mails in a table](0001-queue-mails-in-a-table.md)',
    )
    const target = open('b')
    expect(importItems(target, readDecisionRecords(records))).toMatchObject({ added: 2, links: 1 })
    expect(texts(target)).toEqual(['Queue mails in a broker'])
  })

  it('completes a link that only one record knows', () => {
    const target = open('b')
    const records = [
      {
        file: '0003-use-mysql.md',
        text: '# 3. Use MySQL\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n',
      },
      {
        file: '0007-use-postgres.md',
        text: '---\nstatus: accepted\ndate: 2021-01-01\n---\n# Use Postgres\n\nSupersedes ADR-0003\n',
      },
    ]
    importItems(target, readDecisionRecords(records))
    const [older, newer] = [...target.state.items.values()]
    expect(standing(older!.replacedBy).map((link) => link.new)).toEqual([newer!.item.id])
    expect(standing(newer!.replaces).map((link) => link.old)).toEqual([older!.item.id])
  })
})
