import type { BenchRow } from './bench-row.ts'
import { benchBody } from './body.ts'
import { benchEngine } from './engine.ts'
import { benchRecord } from './record.ts'
import { benchRecordings } from './recordings.ts'
import { benchTokens } from './tokens.ts'

/** Prints every figure as a ratio that was taken in this run, beside the limit that it has to keep. */
async function main(args: readonly string[]): Promise<number> {
  const quick = args.includes('--quick')
  const rows: BenchRow[] = []
  for (const bench of [benchTokens, benchRecord, benchBody, benchRecordings, benchEngine])
    rows.push(...(await bench({ quick })))
  if (args.includes('--json')) console.log(JSON.stringify(rows))
  else for (const row of rows) console.log(line(row))
  return rows.every(keepsLimit) ? 0 : 1
}

const keepsLimit = ({ ratio, limit, better }: BenchRow): boolean =>
  better === 'below' ? ratio <= limit : ratio >= limit

function line(row: BenchRow): string {
  const bound = `${row.better === 'below' ? '≤' : '≥'} ${row.limit}`
  const verdict = keepsLimit(row) ? 'ok  ' : 'MISS'
  return `${verdict}  ${row.name.padEnd(58)} ${row.ratio.toFixed(3).padStart(9)}  ${bound.padStart(7)}  ${row.note ?? ''}`.trimEnd()
}

process.exitCode = await main(process.argv.slice(2))
