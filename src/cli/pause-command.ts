import { Command } from 'commander'
import { openPauses } from '../config/pauses.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { namedSessions } from './recording-target.ts'
import { type Terminal, writeJson, writeLines } from './terminal.ts'
import { wrapped } from './wrapped.ts'

interface PauseOptions extends SetupOptions {
  readonly json?: true
}

/** The commands `pause` and `resume`. */
export function pauseCommands(terminal: Terminal): readonly Command[] {
  return [
    pauseCommand(terminal, true)
      .description('pause pruning, for everything or for one session')
      .addHelpText(
        'after',
        `
While it is paused, nothing more is left out of requests. What was left out before stays left out, and keeps saving:
those bytes are in the provider's cache, and sending the originals again would cost more than it gains. Use
\`palimpsest undo\` for a single original. All your gateways on this machine notice at once.

Examples:
  palimpsest pause               everything
  palimpsest pause 4f1c          one session
  palimpsest resume`,
      ),
    pauseCommand(terminal, false)
      .description('resume pruning')
      .addHelpText(
        'after',
        `
Without a session, pruning resumes everywhere, also in sessions that were paused one by one. What came in during
the pause is left out when it pays.

Examples:
  palimpsest resume
  palimpsest resume 4f1c`,
      ),
  ]
}

function pauseCommand(terminal: Terminal, isPaused: boolean): Command {
  return withStoreOptions(new Command(isPaused ? 'pause' : 'resume'))
    .argument('[session]', "a stored session's id or its beginning; default: everything")
    .option('--json', 'print one JSON value: {everything, sessions}')
    .action(async (name: string | undefined, options: PauseOptions) => {
      const id = name === undefined ? null : await idOf(terminal, name, options)
      if (terminal.home === undefined)
        throw new PalimpsestError(
          'usage',
          'there is no folder to keep the pause in: set PALIMPSEST_HOME',
        )
      const pauses = openPauses(terminal.home, terminal.now)
      const state = pauses.set(id, isPaused)
      if (options.json) {
        const { everything, sessions } = state
        const value = { everything: everything !== null, sessions: Object.keys(sessions) }
        await writeJson(terminal, value)
        return
      }
      const what = id === null ? 'for everything' : `for session ${id}`
      const note = isPaused
        ? `pruning is paused ${what}; what was left out before stays out. \`palimpsest resume\` ends the pause.`
        : `pruning is on again ${what}`
      const still = !isPaused && id !== null && state.everything !== null
      const more = still ? '. It is still paused for everything: `palimpsest resume`' : ''
      await writeLines(terminal.out, wrapped(`${note}${more}`, terminal.columns))
    })
}

async function idOf(terminal: Terminal, name: string, options: SetupOptions): Promise<string> {
  return withStore(
    terminal,
    options,
    async (store) => (await namedSessions(store, name))[0]?.id ?? name,
    { readOnly: true },
  )
}
