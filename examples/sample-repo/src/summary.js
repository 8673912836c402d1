import { formatAmount, parseAmount } from './money.js'

// From records to expenses, and from expenses to groups with their totals. Nothing here knows about files or terminals.

const neededColumns = ['date', 'payee', 'category', 'amount']

/** The ways to group, each with the name that a group gets from an expense. */
export const groupings = {
  category: (expense) => expense.category,
  payee: (expense) => expense.payee,
}

/**
 * Records to expenses. What cannot be understood is added to `problems` and left out.
 *
 * @param {readonly { line: number, values: Record<string, string> }[]} records
 * @param {{ line: number, message: string }[]} problems
 */
export function toExpenses(records, problems) {
  const [first] = records
  if (first === undefined) return []
  const missing = neededColumns.filter((column) => !(column in first.values))
  if (missing.length > 0) {
    problems.push({ line: 1, message: `missing columns: ${missing.join(', ')}` })
    return []
  }
  const expenses = []
  for (const { line, values } of records) {
    const cents = parseAmount(values.amount)
    if (cents === null) {
      problems.push({ line, message: `"${values.amount}" is not an amount` })
      continue
    }
    if (!isDate(values.date)) {
      problems.push({ line, message: `"${values.date}" is not a date` })
      continue
    }
    const category = values.category === '' ? 'other' : values.category
    expenses.push({ line, date: values.date, payee: values.payee, category, cents })
  }
  return expenses
}

/**
 * Groups expenses and adds each group up. Groups come largest first; equal ones by name.
 *
 * @param {readonly { date: string, payee: string, category: string, cents: number }[]} expenses
 * @param {{ by?: string, top?: number | null }} [options]
 */
export function summarise(expenses, options = {}) {
  const { by = 'category', top = null } = options
  const nameOf = groupings[by]
  if (nameOf === undefined) throw new Error(`cannot group by ${by}`)
  const groups = new Map()
  for (const expense of expenses) {
    const name = nameOf(expense)
    const group = groups.get(name) ?? { name, count: 0, cents: 0, first: null, last: null }
    group.count += 1
    group.cents += expense.cents
    group.first = earlier(group.first, expense.date)
    group.last = later(group.last, expense.date)
    groups.set(name, group)
  }
  const sorted = [...groups.values()].sort(bySize)
  return {
    by,
    groups: top === null ? sorted : foldRest(sorted, top),
    total: totalOf(expenses),
  }
}

/**
 * Keeps the first `top` groups and folds the others into one.
 *
 * @param {readonly { name: string, count: number, cents: number, first: string, last: string }[]} groups
 * @param {number} top
 */
export function foldRest(groups, top) {
  const kept = groups.slice(0, top)
  const rest = groups.slice(top)
  if (rest.length === 0) return kept
  const folded = { name: `${rest.length} others`, count: 0, cents: 0, first: null, last: null }
  for (const group of rest) {
    folded.count += group.count
    folded.cents += group.cents
    folded.first = earlier(folded.first, group.first)
    folded.last = later(folded.last, group.last)
  }
  return [...kept, folded]
}

/**
 * What a group is of the whole, in tenths of a per cent. 0 when the whole is 0.
 *
 * @param {number} cents
 * @param {number} total
 */
export function shareOf(cents, total) {
  return total === 0 ? 0 : Math.round((cents / total) * 1000)
}

/**
 * One sentence about a summary.
 *
 * @param {ReturnType<typeof summarise>} summary
 */
export function describe(summary) {
  const { groups, total } = summary
  const [largest] = groups
  if (largest === undefined) return 'There are no expenses.'
  const share = shareOf(largest.cents, total.cents) / 10
  return (
    `${total.count} expenses, ${formatAmount(total.cents)} together; ` +
    `the largest ${summary.by} is ${largest.name} with ${formatAmount(largest.cents)} (${share} %).`
  )
}

function totalOf(expenses) {
  const total = { count: 0, cents: 0, first: null, last: null }
  for (const { cents, date } of expenses) {
    total.count += 1
    total.cents += cents
    total.first = earlier(total.first, date)
    total.last = later(total.last, date)
  }
  return total
}

function bySize(left, right) {
  if (left.cents !== right.cents) return right.cents - left.cents
  return left.name < right.name ? -1 : 1
}

function earlier(left, right) {
  if (left === null || right < left) return right
  return left
}

function later(left, right) {
  if (left === null || right > left) return right
  return left
}

function isDate(text) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const [, year, month, day] = match.map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
