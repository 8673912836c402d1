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
      if (group === 'train' || group === 'unseen') console.error(line)
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
  const server = await startPostgres()
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

type Progress = (measures: readonly Measure[]) => void

/** Runs one part. A part that fails is a missed measure, so that the others still run. */
async function runPart(part: string, quick: boolean): Promise<readonly Measure[]> {
  try {
    return await measurements[part]!(quick)
  } catch (error) {
    console.error(error)
    return [{ name: `${part}: failed`, value: String(error), goal: 'a result', reached: false }]
  }
}

/** Reports each part as soon as it is measured, because the whole takes long enough to be interrupted. */
async function run(
  parts: readonly string[],
  quick: boolean,
  report: Progress,
): Promise<readonly Measure[]> {
  const all: Measure[] = []
  let current: string | undefined
  // Also when a signal or a promise that never settles ends the process.
  process.once('exit', () => {
    if (current !== undefined) console.error(`bench:memory ended during '${current}'`)
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(1))
  for (const part of parts) {
    current = part
    const measures = await runPart(part, quick)
    if (measures.length === 0) console.error(`skipped '${part}': what it needs is not here`)
    report(measures)
    all.push(...measures)
  }
  current = undefined
  return all
}

function printRows(measures: readonly Measure[]): void {
  for (const { name, value, goal, reached } of measures)
    console.log(
      `${reached ? 'reached' : 'MISSED '}  ${name.padEnd(68)} ${value.padEnd(24)} (${goal})`,
    )
}

/** `npm run bench:memory [-- --quick] [--json] [NAME]`: runs all measurements, or only the named one. */
async function main(args: readonly string[]): Promise<number> {
  const [first, file, name] = args
  if (first === '--write' && file !== undefined && name !== undefined) {
    await writeUntilKilled(file, name)
    return 0
  }
  const known = Object.keys(measurements)
  const named = args.filter((arg) => !arg.startsWith('--'))
  const unknown = named.find((part) => !known.includes(part))
  if (unknown !== undefined)
    throw new Error(`'${unknown}' is not a measurement. Use one of: ${known.join(', ')}`)
  const isJson = args.includes('--json')
  const measures = await run(
    named.length === 0 ? known : named,
    args.includes('--quick'),
    isJson ? () => {} : printRows,
  )
  if (isJson) console.log(JSON.stringify(measures))
  return measures.length > 0 && measures.every(({ reached }) => reached) ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
