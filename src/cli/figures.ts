/** 1234567 as `1.2M`, for tables that people read. */
export function short(count: number): string {
  if (count >= 999_500) return `${(count / 1_000_000).toFixed(1)}M`
  if (count >= 9_950) return `${Math.round(count / 1000)}k`
  if (count >= 1000) return `${(count / 1000).toFixed(1)}k`
  return String(Math.round(count))
}

/** `1 read`, `3 reads`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`
}

/** `just now`, `12 min ago`. */
export function ago(at: number, now: number): string {
  const ms = Math.max(0, now - at)
  return ms < 30_000 ? 'just now' : `${duration(ms)} ago`
}

/** Columns padded to their widest cell; the first is flush left, the others right. */
export function table(rows: readonly (readonly string[])[], indent = '  '): string[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    })
  }
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    return `${indent}${cells.join('  ')}`.trimEnd()
  })
}

/**
 * A table that is not wider than the terminal: columns that do not fit follow in a table below, each with the first column
 * again.
 */
export function fittedTable(
  rows: readonly (readonly string[])[],
  columns: number,
  indent = '  ',
): string[] {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const count = Math.max(0, ...rows.map((row) => row.length))
  const first = indent.length + (count === 0 ? 0 : width(0))
  const parts: number[][] = [[]]
  let used = first
  for (let column = 1; column < count; column++) {
    const needed = width(column) + 2
    const isFull = used + needed > columns && parts.at(-1)?.length !== 0
    if (isFull) {
      parts.push([])
      used = first
    }
    parts.at(-1)?.push(column)
    used += needed
  }
  return parts.flatMap((part, at) => [
    ...(at === 0 ? [] : ['']),
    ...table(
      rows.map((row) => [row[0] ?? '', ...part.map((column) => row[column] ?? '')]),
      indent,
    ),
  ])
}

/** `$12.30`, `$0.0123`: three digits that say something. */
export function money(dollars: number): string {
  const size = Math.abs(dollars)
  const digits = size >= 100 ? 0 : size >= 0.1 || size === 0 ? 2 : size >= 0.001 ? 4 : 6
  if (size < 0.000_000_5) return '$0.00'
  return `${dollars < 0 ? '-' : ''}$${size.toFixed(digits)}`
}

/** Amounts below each other, all with as many decimals as the largest needs. */
export function moneyColumn(amounts: readonly number[]): readonly string[] {
  const most = Math.max(0, ...amounts.map(Math.abs))
  const digits = most >= 100 ? 0 : most >= 1 ? 2 : most >= 0.1 ? 3 : most >= 0.001 ? 4 : 6
  return amounts.map((each) =>
    each === 0 ? '$0' : `${each < 0 ? '-' : ''}$${Math.abs(each).toFixed(digits)}`,
  )
}

/** `12 %`, `0.4 %`. */
export function percent(share: number): string {
  const value = 100 * share
  return `${Math.abs(value) < 10 && value !== 0 ? value.toFixed(1) : Math.round(value)} %`
}
