import { measureConversations } from './memory/conversations.ts'
import { measureCorrections } from './memory/corrections.ts'
import { measureDecisions } from './memory/decisions.ts'
import { measureDeveloperMessages } from './memory/developer-messages.ts'
import { measureDurability, writeUntilKilled } from './memory/durability.ts'
import { measureHistories } from './memory/histories.ts'
import { measureLatency } from './memory/latency.ts'
import type { Measure } from './memory/measure.ts'
import { measureSessions } from './memory/sessions.ts'

/** `npm run bench:memory [-- --quick] [--json]`: every figure is taken in this run; without its data a line is left out. */
async function main(args: readonly string[]): Promise<number> {
  const [first, file, name] = args
  if (first === '--write' && file !== undefined && name !== undefined) {
    writeUntilKilled(file, name)
    return 0
  }
  const quick = args.includes('--quick')
  const measures: Measure[] = [
    ...(await measureDurability(
      process.argv[1]!,
      quick ? { writes: 500, kills: 10 } : { writes: 10_000, kills: 200 },
    )),
    ...measureHistories(quick ? 500 : 10_000),
    ...measureCorrections(),
    ...measureConversations(),
    ...(await measureDeveloperMessages((line) => console.error(line))),
    ...measureSessions(),
    ...measureDecisions(),
    ...measureLatency(quick ? 10_000 : 100_000),
  ]
  if (args.includes('--json')) console.log(JSON.stringify(measures))
  else
    for (const { name: label, value, goal, reached } of measures)
      console.log(
        `${reached ? 'reached' : 'MISSED '}  ${label.padEnd(68)} ${value.padEnd(24)} (${goal})`,
      )
  return measures.every(({ reached }) => reached) ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
