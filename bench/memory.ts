import { startPostgres } from '../test/store/postgres.ts'
import { measureConversations } from './memory/conversations.ts'
import { measureCorrections } from './memory/corrections.ts'
import { measureDecisions } from './memory/decisions.ts'
import { measureDeveloperMessages } from './memory/developer-messages.ts'
import { measureDurability, writeUntilKilled } from './memory/durability.ts'
import { measureForgettingInPostgres, measureForgettingInSqlite } from './memory/forgetting.ts'
import { measureHistories } from './memory/histories.ts'
import { measureLatency } from './memory/latency.ts'
import { measureLongChats } from './memory/long-chats.ts'
import type { Measure } from './memory/measure.ts'
import { measureMessages } from './memory/messages.ts'
import { measureSessions } from './memory/sessions.ts'
import { measureWorldFacts } from './memory/world-facts.ts'

type Taken = readonly Measure[] | Promise<readonly Measure[]>

const measurements: Readonly<Record<string, (quick: boolean) => Taken>> = {
  durability: (quick) => measureDurability(process.argv[1]!, kills(quick)),
  postgres: measureOnPostgres,
  histories: (quick) => measureHistories(quick ? 500 : 10_000),
  corrections: measureCorrections,
  conversations: measureConversations,
  messages: () =>
    measureMessages((line, group) => {
      if (group === 'train') console.error(line)
    }),
  chats: () => measureLongChats((line) => console.error(line)),
  world: () => measureWorldFacts((line) => console.error(line)),
  recorded: () => measureDeveloperMessages((line) => console.error(line)),
  sessions: measureSessions,
  decisions: measureDecisions,
  latency: (quick) => measureLatency(quick ? 10_000 : 100_000),
  forgetting: measureForgettingInSqlite,
}

const kills = (quick: boolean): { readonly writes: number; readonly kills: number } =>
  quick ? { writes: 500, kills: 10 } : { writes: 10_000, kills: 200 }

/** Measurements that need a server; empty when PostgreSQL is not available. */
async function measureOnPostgres(quick: boolean): Promise<readonly Measure[]> {
  const server = await startPostgres().catch(() => null)
  if (server === null) return []
  try {
    const options = { ...kills(quick), url: await server.database() }
    return [
      ...(await measureDurability(process.argv[1]!, options)),
      ...(await measureForgettingInPostgres(await server.database())),
    ]
  } finally {
    await server.end()
  }
}

async function runMeasurement(name: string, quick: boolean): Promise<readonly Measure[]> {
  const measure = measurements[name]
  if (measure === undefined)
    throw new Error(
      `'${name}' is not a measurement. Use one of: ${Object.keys(measurements).join(', ')}`,
    )
  return measure(quick)
}

async function runAll(quick: boolean): Promise<readonly Measure[]> {
  const measures: Measure[] = []
  for (const name of Object.keys(measurements))
    measures.push(...(await runMeasurement(name, quick)))
  return measures
}

/**
 * `npm run bench:memory [-- --quick] [--json] [NAME]`: runs all measurements, or only the
 * named one. Those without their data are skipped.
 */
async function main(args: readonly string[]): Promise<number> {
  const [first, file, name] = args
  if (first === '--write' && file !== undefined && name !== undefined) {
    await writeUntilKilled(file, name)
    return 0
  }
  const quick = args.includes('--quick')
  const [only] = args.filter((arg) => !arg.startsWith('--'))
  const measures = await (only === undefined ? runAll(quick) : runMeasurement(only, quick))
  if (args.includes('--json')) console.log(JSON.stringify(measures))
  else
    for (const { name: label, value, goal, reached } of measures)
      console.log(
        `${reached ? 'reached' : 'MISSED '}  ${label.padEnd(68)} ${value.padEnd(24)} (${goal})`,
      )
  return measures.every(({ reached }) => reached) ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
