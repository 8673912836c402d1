import type { BenchRow } from '../bench-row.ts'

export function keepsLimit({ ratio, limit, better }: BenchRow): boolean {
  if (limit === null) return true
  return better === 'below' ? ratio <= limit : ratio >= limit
}

export function rowLine(row: BenchRow): string {
  const bound = row.limit === null ? '' : `${row.better === 'below' ? '≤' : '≥'} ${row.limit}`
  const verdict = row.limit === null ? '    ' : keepsLimit(row) ? 'ok  ' : 'MISS'
  const figures = `${row.ratio.toFixed(3).padStart(9)}  ${bound.padStart(7)}`
  return `${verdict}  ${row.name.padEnd(62)} ${figures}  ${row.note ?? ''}`.trimEnd()
}
