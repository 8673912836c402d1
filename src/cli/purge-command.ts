import { Command } from 'commander'
import { formatSize } from '../config/quantities.ts'
import type { Memory } from '../memory/memory.ts'
import { type Environment, openEnvironment } from '../session/environment.ts'
import { chosenSetup, refuseAbsent, type SetupOptions, withStoreOptions } from './chosen-store.ts'
import { plural } from './figures.ts'
import { hasConsent, yesOption } from './person-consent.ts'
import { placeOf } from './serving-lines.ts'
import { type Terminal, writeLines, writeResult } from './terminal.ts'
import { fittedLines } from './wrapped.ts'

interface PurgeOptions extends SetupOptions {
  readonly dryRun?: true
  readonly yes?: true
  readonly json?: true
}

/** Removes the content and keeps the store itself, so that a gateway that uses it continues with an empty one. */
export function purgeCommand(terminal: Terminal, finish: (code: number) => void): Command {
  return withStoreOptions(new Command('purge'))
    .description('delete everything that was kept: sessions, originals, receipts and memory')
    .option('--dry-run', 'only show what would be deleted')
    .option(...yesOption)
    .option('--json', 'print one JSON value: {store, sessions, items, bytes, deleted}')
    .addHelpText(
      'after',
      `
Shows what there is, and asks before it deletes. Your configuration and the set-up of agents stay;
\`palimpsest init --undo\` takes the latter back. Placeholders in running sessions can no longer be restored afterwards.

Examples:
  palimpsest purge --dry-run
  palimpsest purge --yes`,
    )
    .action(async (options: PurgeOptions) => {
      const setup = chosenSetup(terminal, options)
      refuseAbsent(setup.location)
      const environment = openEnvironment(setup, { now: terminal.now })
      try {
        if (!(await purge(terminal, environment, options))) finish(1)
      } finally {
        await environment.close()
      }
    })
}

/** All sessions: one after the other would leave the file as large as it was. */
const everySession = { usedBefore: Number.MAX_SAFE_INTEGER }

/** False when a person is asked and refuses. */
async function purge(
  terminal: Terminal,
  environment: Environment,
  options: PurgeOptions,
): Promise<boolean> {
  const inColumns = (line: string): readonly string[] => fittedLines(line, terminal.columns)
  const store = await environment.store.open()
  const ids = (await store.sessions()).map(({ id }) => id)
  const names = new Set((await store.team.tokens()).map(({ name }) => name))
  const memories = [null, ...names].map((owner) => environment.memoryOf(owner))
  const items: string[] = []
  for (const memory of memories)
    await memory.use(({ state }) => void items.push(...state.items.keys()))
  const { bytesBefore: bytes } = await store.gc({ ...everySession, dryRun: true })
  const place = placeOf(environment.location)
  const what = `${plural(ids.length, 'session')} with all originals and receipts, ${plural(items.length, 'memory item')}: ${formatSize(bytes)} in ${place}`
  const summary = { store: place, sessions: ids.length, items: items.length, bytes }
  const report = async (isDeleted: boolean, line: string): Promise<void> =>
    writeResult(terminal, options, { ...summary, deleted: isDeleted }, inColumns(line))
  if (options.dryRun || ids.length + items.length === 0) {
    await report(false, options.dryRun ? `would delete ${what}` : `nothing is kept in ${place}`)
    return true
  }
  if (!options.json) await writeLines(terminal.out, inColumns(what))
  const question = 'Delete all of it for good?'
  const removal = { action: 'purge', ids: [...ids, ...items], question } as const
  if (!(await hasConsent(terminal, { ...removal, yes: options.yes === true }))) return false
  for (const each of memories) await each.use(forgetAll)
  await store.gc(everySession)
  await report(true, 'deleted')
  return true
}

async function forgetAll(memory: Memory): Promise<void> {
  const { items, heard } = memory.state
  memory.forget([...items.keys()], { messages: [...heard.keys()], isSaid: () => true })
  await memory.save()
}
