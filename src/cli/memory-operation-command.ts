import { Command } from 'commander'
import { forgetInExports } from '../mcp/exported-files.ts'
import { forgetInSessions } from '../memory/forget/forget-sessions.ts'
import type {
  CommandOptions,
  MemoryAccess,
  MemoryOperation,
} from '../memory/operations/operation.ts'
import { useStore } from './chosen-store.ts'
import { memoryFiles } from './memory-files.ts'
import {
  type MemoryOptions,
  type OpenedMemory,
  withMemory,
  withMemoryOptions,
} from './memory-open.ts'
import { hasConsent, yesOption } from './person-consent.ts'
import type { ExitCode } from './program.ts'
import { type Terminal, writeContent, writeLines, writeNotice } from './terminal.ts'

interface OperationOptions extends MemoryOptions {
  readonly yes?: true
}

/** Makes a `palimpsest memory` command of a memory operation. */
export function operationCommand(
  operation: MemoryOperation,
  terminal: Terminal,
  finish: (code: ExitCode) => void,
): Command {
  const { name, effect, command: form, output } = operation
  const command = withMemoryOptions(new Command(name)).description(form.description)
  for (const [argument, description] of form.arguments ?? [])
    command.argument(argument, description)
  for (const option of form.options ?? []) command.option(...option)
  if (name === 'forget') command.option(...yesOption)
  if (form.help !== undefined) command.addHelpText('after', form.help)
  return command.action(async () => {
    const options: OperationOptions = command.opts()
    const input = form.input(command.processedArgs, command.opts<CommandOptions>())
    const absent = effect === 'reads' ? 'empty' : 'make'
    await withMemory(
      terminal,
      options,
      async (opened) => {
        const result = await operation.run(input, personAccess(terminal, opened, options))
        if (result === null) return
        // Print nothing that is not saved.
        await opened.memory.save()
        for (const notice of result.notices()) writeNotice(terminal, `palimpsest: ${notice}`)
        if (result.isFailure) finish(1)
        const json = options.json ? result.json() : null
        if (json !== null) await writeLines(terminal.out, [json])
        else if (output === 'exact')
          await writeContent(
            terminal,
            result
              .text()
              .map((line) => `${line}\n`)
              .join(''),
          )
        else await writeLines(terminal.out, result.text())
      },
      absent,
    )
  })
}

function personAccess(
  terminal: Terminal,
  opened: OpenedMemory,
  { yes }: OperationOptions,
): MemoryAccess {
  const { memory, place, location } = opened
  return {
    memory,
    place,
    caller: 'person',
    consent: (removal) => hasConsent(terminal, { ...removal, yes: yes === true }),
    async forgetInSessions(target) {
      if (location.kind === 'memory' || target.contents.length === 0) return []
      const work = { absent: 'make' } as const
      return useStore(terminal, location, (store) => forgetInSessions(store, target), work)
    },
    forgetInExports: (target) => forgetInExports(memory, terminal.home, target),
    files: memoryFiles(terminal, opened),
  }
}
