import { Command } from 'commander'
import { createEngineMaker } from '../config/engine-maker.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { actionMessage } from '../dashboard/actions.ts'
import { actOnStored } from '../session/stored-action.ts'
import type { Store, StoredSession } from '../store/index.ts'
import { chosenConfig } from './chosen-config.ts'
import { type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import type { ExitCode } from './program.ts'
import { namedSessions } from './recording-target.ts'
import { type Terminal, writeJson, writeLines, writeNotice } from './terminal.ts'
import { wrapped } from './wrapped.ts'

interface UndoOptions extends SetupOptions {
  readonly session?: string
  readonly json?: true
}

const mostSessions = 50

/** Calls `finish` with exit code 1 when nothing was changed. */
export function undoCommand(terminal: Terminal, finish: (code: ExitCode) => void): Command {
  return withStoreOptions(new Command('undo'))
    .description('bring an original back into the next request of its session, and keep it there')
    .argument('<handle>', 'the handle in a placeholder: six or more hex digits')
    .option('--session <id>', 'in this session only')
    .option('--json', 'print one JSON value: {session, ok, message}')
    .addHelpText(
      'after',
      `
The item is shown in full from the next request on, and no strategy leaves it out again. Everything after
it has to be written to the provider's cache again; the answer says how much that is. A running gateway notices it.

Examples:
  palimpsest undo a1b2c3
  palimpsest undo a1b2c3 --session 4f1c`,
    )
    .action(async (given: string, options: UndoOptions) => {
      const handle = given.trim().toLowerCase()
      if (!/^[0-9a-f]{6,}$/.test(handle))
        throw new PalimpsestError(
          'usage',
          `"${given}" is not a valid handle: use six or more hex digits`,
        )
      const maker = createEngineMaker(chosenConfig(terminal, options))
      const done = await withStore(terminal, options, async (store) => {
        const session = await sessionOf(store, handle, options.session)
        const outcome = await actOnStored({ store, maker }, session, handle, 'restore')
        const message = actionMessage(outcome, handle, 'restore')
        return { session: session.id, ok: outcome.kind === 'done', message }
      })
      if (options.json) await writeJson(terminal, done)
      else if (done.ok) await writeLines(terminal.out, wrapped(done.message, terminal.columns))
      else writeNotice(terminal, `palimpsest: ${done.message}`)
      if (!done.ok) finish(1)
    })
}

/** The session whose last request has the item. */
async function sessionOf(
  store: Store,
  handle: string,
  name: string | undefined,
): Promise<StoredSession> {
  if (name !== undefined) return (await namedSessions(store, name))[0] as StoredSession
  const found = await store.sessionsWith([handle], mostSessions)
  const [first, ...others] = found
  if (first === undefined)
    throw new PalimpsestError('absent', `no session has an item with the handle ${handle}`)
  if (others.length === 0) return first
  const ids = found.slice(0, 5).map(({ id }) => id)
  throw new PalimpsestError(
    'usage',
    `several sessions have an item ${handle}: choose one with --session: ${ids.join(', ')}`,
  )
}
