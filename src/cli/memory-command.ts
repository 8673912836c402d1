import type { Readable } from 'node:stream'
import { Command } from 'commander'
import { memoryOperations } from '../memory/operations/index.ts'
import { auditEntries } from '../store/audit-log.ts'
import { learnCommand, observeCommand } from './memory-conversation-commands.ts'
import { hookCommand } from './memory-hook.ts'
import { operationCommand } from './memory-operation-command.ts'
import type { ExitCode } from './program.ts'
import { type Terminal, writeResult } from './terminal.ts'

export function memoryCommand(
  terminal: Terminal,
  finish: (code: ExitCode) => void,
  input: Readable = process.stdin,
): Command {
  const command = new Command('memory')
    .description('manage facts, preferences and decisions that are kept across sessions')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest memory add preference tooling editor Neovim
  palimpsest memory list --all                       also show replaced items
  palimpsest memory history preference_1a2b3c        how it changed over time
  palimpsest memory context --query "set up CI"      what a model is told
  palimpsest memory forget --search "my address"     remove it from every copy`,
    )
  for (const each of [
    ...memoryOperations.map((operation) => operationCommand(operation, terminal, finish)),
    observeCommand(terminal, input),
    learnCommand(terminal, input),
    hookCommand(terminal, input),
    auditCommand(terminal),
  ])
    command.addCommand(each)
  return command
}

function auditCommand(terminal: Terminal): Command {
  return new Command('audit')
    .description('list what was removed or replaced for good, and how a person agreed')
    .option('--json', 'print JSON: [{at, action, door, consent, ids}]')
    .action(async ({ json }: { readonly json?: true }) => {
      const entries = auditEntries(terminal.home)
      const lines = entries.map(
        ({ at, action, door, consent, ids }) =>
          `${at}  ${action} (${door}, ${consent}): ${ids.join(', ') || 'nothing'}`,
      )
      await writeResult(terminal, { json }, entries, lines)
    })
}
