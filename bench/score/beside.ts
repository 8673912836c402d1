import type { Table } from './tables.ts'

/** The tables of a page in Markdown, in their order. */
export function tablesIn(page: string): readonly Table[] {
  const tables: string[][][] = []
  let current: string[][] | null = null
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) {
      current = null
      continue
    }
    if (current === null) {
      current = []
      tables.push(current)
    }
    const cells = line.split('|').slice(1, -1)
    if (!cells.every((cell) => /^-+$/.test(cell))) current.push(cells.map((cell) => cell.trim()))
  }
  return tables
}

/** Dollars and tokens are ratios, a hundredth of which is a point; the others are percent or counts already. */
const isRatio = (column: string): boolean => /^(?:\$|tokens|peak)/.test(column)

/** Numbers are compared as printed. */
const mostPoints = 2 + 1e-6

export interface RowDifference {
  readonly row: string
  /** `column ours, theirs`, for each figure that differs by more than two points. */
  readonly figures: readonly string[]
}

/**
 * Every row that two tables with the same first heading share, with the figures that differ. Columns are those that
 * both have, by name and, where a name stands twice, by their order.
 */
export function compareTables(ours: Table, theirs: Table): readonly RowDifference[] {
  const [heading = [], ...rows] = ours
  const [otherHeading = [], ...otherRows] = theirs
  const columns = namesOnce(heading)
  const otherColumns = namesOnce(otherHeading)
  return otherRows.flatMap((other) => {
    const own = rows.find(([name]) => name === other[0])
    if (own === undefined) return []
    const figures = otherColumns.flatMap((column, at) => {
      const place = columns.indexOf(column)
      const [mine, their] = [Number(own[place]), Number(other[at])]
      if (place < 1 || own[place] === '' || Number.isNaN(mine) || Number.isNaN(their)) return []
      const points = Math.abs(mine - their) * (isRatio(column) ? 100 : 1)
      return points > mostPoints ? [`${column} ${own[place]}, ${other[at]}`] : []
    })
    return [{ row: other[0] ?? '', figures }]
  })
}

function namesOnce(heading: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return heading.map((name) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

/** Compares our tables with those of another page, row by row. Returns only rows that differ. */
export function compareWithPage(ours: readonly Table[], page: string): readonly RowDifference[] {
  // The other page has another name for this column.
  const theirs = tablesIn(page.replaceAll('% dearer', '% cost more'))
  const rows = new Map<string, string[]>()
  for (const table of ours) {
    const other = theirs.find(
      ([heading]) => heading?.[0] === table[0]?.[0] && heading?.[1] === table[0]?.[1],
    )
    for (const { row, figures } of other === undefined ? [] : compareTables(table, other))
      rows.set(row, [...(rows.get(row) ?? []), ...figures])
  }
  return [...rows].map(([row, figures]) => ({ row, figures }))
}
