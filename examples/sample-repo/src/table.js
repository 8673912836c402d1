import { formatAmount } from './money.js'
import { shareOf } from './summary.js'

const columns = [
  { title: (by) => by, align: 'left', text: (group) => group.name },
  { title: () => 'count', align: 'right', text: (group) => String(group.count) },
  { title: () => 'amount', align: 'right', text: (group) => formatAmount(group.cents) },
  { title: () => 'share', align: 'right', text: (group, total) => percent(group, total) },
]

/**
 * A summary as a table for people: one line for each group, and the total below a rule.
 *
 * @param {{ by: string, groups: object[], total: object }} summary
 */
export function renderSummary({ by, groups, total }) {
  if (groups.length === 0) return 'No expenses.\n'
  const header = columns.map((column) => column.title(by))
  const body = groups.map((group) => columns.map((column) => column.text(group, total)))
  const footer = columns.map((column) => column.text({ ...total, name: 'total' }, total))
  const widths = columns.map((_, index) => {
    return Math.max(...[header, ...body, footer].map((cells) => cells[index].length))
  })
  const rule = widths.map((width) => '-'.repeat(width))
  const lines = [header, rule, ...body, rule, footer].map((cells) => renderLine(cells, widths))
  return `${lines.join('\n')}\n`
}

function renderLine(cells, widths) {
  return cells
    .map((cell, index) => pad(cell, widths[index], columns[index].align))
    .join('  ')
    .trimEnd()
}

function pad(text, width, align) {
  return align === 'right' ? text.padStart(width) : text.padEnd(width)
}

function percent(group, total) {
  return `${(shareOf(group.cents, total.cents) / 10).toFixed(1)} %`
}
