import type { Readable } from 'node:stream'
import { Command } from 'commander'
import { memoryOperations } from '../memory/operations/index.ts'
import { auditEntries } from '../store/audit-log.ts'
import { learnCommand, observeCommand } from './memory-conversation-commands.ts'
import { operationCommand } from './memory-operation-command.ts'
import type { ExitCode } from './program.ts'
import { type Terminal, writeLines } from './terminal.ts'

export function memoryCommand(
  terminal: Terminal,
  finish: (code: ExitCode) => void,
  input: Readable = process.stdin,
): Command {
  const command = new Command('memory')
    .description('facts, preferences and decisions that outlive a session, and change')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest memory add preference tooling editor Neovim
  palimpsest memory list --all                       what was replaced too
  palimpsest memory history preference_1a2b3c        how it came to be so
  palimpsest memory context --query "set up CI"      what a model would be told
  palimpsest memory forget --search "my address"     gone, in every copy`,
    )
  for (const each of [
    ...memoryOperations.map((operation) => operationCommand(operation, terminal, finish)),
    observeCommand(terminal, input),
    learnCommand(terminal, input),
    auditCommand(terminal),
  ])
    command.addCommand(each)
  return command
}

function auditCommand(terminal: Terminal): Command {
  return new Command('audit')
    .description('who forgot, imported over or removed something for good, and how a person agreed')
    .option('--json', 'print JSON: [{at, action, door, consent, ids}]')
    .action(async ({ json }: { readonly json?: true }) => {
      const entries = auditEntries(terminal.home)
      const lines = entries.map(
        ({ at, action, door, consent, ids }) =>
          `${at}  ${action} (${door}, ${consent}): ${ids.join(', ') || 'nothing'}`,
      )
      await writeLines(terminal.out, json ? [JSON.stringify(entries)] : lines)
    })
}
