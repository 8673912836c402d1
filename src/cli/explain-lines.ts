import type { ExplainedItem, NamedItem } from '../replay/explain.ts'
import type { LifeSpan } from '../replay/item-lives.ts'
import { plural, short } from './figures.ts'
import type { Terminal } from './terminal.ts'

/** The life of an item, for people. */
export function explainLines(explained: ExplainedItem, terminal: Terminal): readonly string[] {
  const { colors } = terminal
  const { item, spans, replacedBy, replaces, retention, need, restore } = explained
  const turns = spans.map(({ from, to }) => (from === to ? `turn ${from}` : `turns ${from}–${to}`))
  const width = Math.max(0, ...turns.map((text) => text.length))
  const shownLines = spans.flatMap((span, at) => [
    `  ${(turns[at] ?? '').padEnd(width)}  ${describeSpan(span, explained)}`,
    ...(span.text === null ? [] : [colors.dim(`  ${' '.repeat(width)}  ${firstLine(span.text)}`)]),
  ])
  const isHidden = spans.some(({ shown }) => shown !== 'full')
  return [
    `${colors.bold(item.handle)}  ${kindOf(item)}, turn ${item.turn}, ${plural(item.tokens, 'token')}`,
    `  ${item.about}`,
    '',
    ...(shownLines.length === 0 ? ['  no request has shown it'] : shownLines),
    '',
    ...listed(spans.at(-1)?.shown === 'pointer' ? 'points to' : 'replaced by', replacedBy),
    ...listed('replaces', replaces),
    ...(need === undefined ? [] : [describeNeed(need)]),
    ...(retention === null ? [] : [`rank under pressure: ${retention}`]),
    isHidden ? `get it back: ${restore}` : 'it was always shown in full',
  ]
}

/** `chance that it is needed again: 3 % for its lines, 8 % for a name in it (a test, its file was edited since)`. */
function describeNeed({ anchor, name, reasons }: NonNullable<ExplainedItem['need']>): string {
  const percent = (share: number): string => `${Math.round(share * 100)} %`
  const because = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`
  return `chance that it is needed again: ${percent(anchor)} for its lines, ${percent(name)} for a name in it${because}`
}

/** The first item on the line of the heading, the others below it. */
function listed(heading: string, items: readonly NamedItem[]): readonly string[] {
  return items.map(
    (item, at) =>
      `${at === 0 ? `${heading}:` : ' '.repeat(heading.length + 1)} ${nameWithTurn(item)}`,
  )
}

function kindOf({ kind, tool, call }: NamedItem): string {
  if (tool === undefined) return kind
  return `${kind === 'call' ? 'input' : 'result'} of ${tool} ${call ?? ''}`.trimEnd()
}

function describeSpan(span: LifeSpan, { replacedBy }: ExplainedItem): string {
  const { shown, decision } = span
  if (shown === 'full') return 'in full'
  if (shown === 'absent') return 'not in the request: the agent compacted its history or went back'
  if (decision === null) return 'cleared by the agent itself'
  const by = replacedBy.find(({ handle }) => handle === decision.by)
  const verb = shown === 'pointer' ? 'points to' : 'replaced by'
  const newer = by === undefined ? '' : `, ${verb} ${nameWithTurn(by)}`
  return `${shown} because of ${decision.reason} (${decision.strategy})${newer}`
}

function nameWithTurn({ handle, about, turn }: NamedItem): string {
  return `${handle} ${about} at turn ${turn}`
}

function firstLine(text: string): string {
  const [first = '', ...others] = text.split('\n')
  return others.length === 0 ? first : `${first} … (${short(text.length)} characters)`
}
