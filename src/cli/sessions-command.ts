import { Command } from 'commander'
import type { SessionSummary } from '../store/index.ts'
import { type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { ago, fittedTable, short } from './figures.ts'
import { type Terminal, writeJson, writeLines } from './terminal.ts'

interface SessionsOptions extends SetupOptions {
  readonly json?: true
}

export function sessionsCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('sessions'))
    .description('list the stored sessions, last used first')
    .option(
      '--json',
      'print one JSON value: [{id, parent, origin, folder, createdAt, usedAt, messages, items, characters}]',
    )
    .addHelpText(
      'after',
      `
Examples:
  palimpsest sessions
  palimpsest sessions --json --store ~/work.db`,
    )
    .action(async (options: SessionsOptions) => {
      const sessions = await withStore(terminal, options, (store) => store.sessions())
      if (options.json) {
        const shown = sessions.map(({ number: _, credential: __, ...session }) => session)
        await writeJson(terminal, shown)
        return
      }
      if (sessions.length === 0) {
        await writeLines(terminal.out, ['no sessions yet'])
        return
      }
      const head = ['session', 'from', 'messages', 'items', 'text', 'last used']
      const rows = sessions.map((session) => rowOf(session, terminal.now()))
      await writeLines(terminal.out, fittedTable([head, ...rows], terminal.columns, ''))
    })
}

function rowOf(session: SessionSummary, now: number): readonly string[] {
  const { id, parent, origin, messages, items, characters, usedAt } = session
  const name = parent === null ? id : `${id} (of ${parent})`
  return [name, origin, String(messages), String(items), short(characters), ago(usedAt, now)]
}
