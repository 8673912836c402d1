import type { Readable } from 'node:stream'
import { Command } from 'commander'
import { memoryChangeCommands } from './memory-change-commands.ts'
import { memoryConversationCommands } from './memory-conversation-commands.ts'
import { memoryLookCommands } from './memory-look-commands.ts'
import { memoryTransferCommands } from './memory-transfer-commands.ts'
import type { ExitCode } from './program.ts'
import type { Terminal } from './terminal.ts'

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
    ...memoryChangeCommands(terminal),
    ...memoryLookCommands(terminal, finish),
    ...memoryConversationCommands(terminal, input),
    ...memoryTransferCommands(terminal),
  ])
    command.addCommand(each)
  return command
}
