import { Command } from 'commander'
import { changeLines, changelogOf } from '../replay/changelog.ts'
import { chosenConfig } from './chosen-config.ts'
import { openTarget, targetArgument, targetStoreOption } from './recording-target.ts'
import { reportProblems } from './report-problems.ts'
import { type Terminal, writeJson, writeLines } from './terminal.ts'
import { wrapped } from './wrapped.ts'

export function changelogCommand(terminal: Terminal): Command {
  return targetArgument(new Command('changelog'))
    .description('list what a recorded session changed in each file')
    .option(...targetStoreOption)
    .option('--json', 'print one JSON list: [{path, changes: [{turn, handle, intent, summary}]}]')
    .addHelpText(
      'after',
      `
The summary of a change is the \`intent\` of an edit or the description of a command; without one, it is made from the change.

Examples:
  palimpsest changelog session.jsonl
  palimpsest changelog session.jsonl --json`,
    )
    .action(async (file: string, options: { json?: true; store?: string }) => {
      const { toolMappings: mappings } = chosenConfig(terminal, {})
      const { recordings, problems } = await openTarget(terminal, file, options)
      reportProblems(terminal, file, problems)
      const changed = recordings.flatMap((recording) =>
        changelogOf(recording, { mappings }).map((each) => ({ ...each, cwd: recording.cwd })),
      )
      if (options.json) {
        const list = changed.map(({ path, changes }) => ({ path, changes }))
        await writeJson(terminal, list)
        return
      }
      const lines = changed.flatMap((each) =>
        changeLines(each, each.cwd).map(({ text, turns }) => `${text} (turn ${turns.join(', ')})`),
      )
      await writeLines(
        terminal.out,
        lines.length === 0
          ? ['no file was changed']
          : lines.flatMap((line) => wrapped(line, terminal.columns)),
      )
    })
}
