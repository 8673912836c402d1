import { Command } from 'commander'
import { printable } from '../config/trusted-folders.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { forgetInExports } from '../mcp/exported-files.ts'
import { forgetMatching, forgetTarget } from '../memory/forget/forget-matching.ts'
import { forgetInSessions } from '../memory/forget/forget-sessions.ts'
import { knownItem } from '../memory/state/link-items.ts'
import { useStore } from './chosen-store.ts'
import { plural } from './figures.ts'
import { type MemoryOptions, withMemory, withMemoryOptions } from './memory-open.ts'
import { hasConsent, yesOption } from './person-consent.ts'
import { type Terminal, writeLines } from './terminal.ts'

interface ForgetOptions extends MemoryOptions {
  readonly search?: string
  readonly subject?: string
  readonly yes?: true
}

/** A store of unknown origin may name any number of files. */
const mostNamed = 20

/** The command that removes, in every copy. */
export function forgetCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('forget'))
    .description('remove items and the messages that they came from, everywhere and for good')
    .argument('[ids...]', 'ids of items')
    .option('--search <text>', 'every item and message that says these words')
    .option('--subject <name>', 'every item about this subject or attribute')
    .option(...yesOption)
    .addHelpText(
      'after',
      `
Files that \`memory export --to\` wrote for you on this machine are changed too. Other files that the store names are listed and
stay as they are.

Examples:
  palimpsest memory forget fact_1a2b3c4d
  palimpsest memory forget --search "my address" --yes`,
    )
    .action(async (ids: readonly string[], options: ForgetOptions) => {
      const isNamed = [options.search, options.subject].some((name) => (name ?? '').trim() !== '')
      if (ids.length === 0 && !isNamed)
        throw new PalimpsestError(
          'usage',
          'name the items to forget, or give --search or --subject',
        )
      await withMemory(terminal, options, async ({ memory, location }) => {
        for (const id of ids) knownItem(memory.state, id)
        const target = forgetTarget(memory.state, { ids, ...options })
        const question = `Forget ${plural(target.items.length, 'item')}, and every line of sessions and exports that says the same, for good?`
        const removal = { action: 'memory forget', ids: target.items, question } as const
        if (!(await hasConsent(terminal, { ...removal, yes: options.yes === true }))) return
        // First the copies: what could not be reached can be asked for again while the items are known.
        const sessions =
          location.kind === 'memory' || target.contents.length === 0
            ? []
            : await useStore(terminal, location, (store) => forgetInSessions(store, target), {
                absent: 'make',
              })
        const forgotten = forgetMatching(memory, { ids, ...options })
        await memory.save()
        const { changed: files, left } = forgetInExports(memory, terminal.home, target)
        const named = left
          .slice(0, mostNamed)
          .map((each) => `not changed: ${printable(each.path)} (${each.reason})`)
        const lines = [
          `forgotten: ${forgotten.length === 0 ? 'nothing' : forgotten.join(', ')}`,
          ...sessions.map((id) => `taken out of the record of session ${id}`),
          ...files.map((file) => `taken out of ${file}`),
          ...named,
          ...(left.length > mostNamed ? [`and ${left.length - mostNamed} more`] : []),
        ]
        await writeLines(
          terminal.out,
          options.json ? [JSON.stringify({ forgotten, sessions, files, left })] : lines,
        )
      })
    })
}
