import { Command, CommanderError } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import { askForTrust } from './ask-for-trust.ts'
import { changelogCommand } from './changelog-command.ts'
import { compareCommand } from './compare-command.ts'
import { completionCommand } from './completion-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { explainCommand } from './explain-command.ts'
import { printFirstLook } from './first-look.ts'
import { gainCommand } from './gain-command.ts'
import { gcCommand } from './gc-command.ts'
import { toolHookCommand } from './hook-command.ts'
import { initCommand } from './init-command.ts'
import { inspectCommand } from './inspect-command.ts'
import { mcpCommand } from './mcp-command.ts'
import { memoryCommand } from './memory-command.ts'
import { pauseCommands } from './pause-command.ts'
import { purgeCommand } from './purge-command.ts'
import { replayCommand } from './replay-command.ts'
import { reportCommand } from './report-command.ts'
import { restoreCommand } from './restore-command.ts'
import { runCommand } from './run-command.ts'
import { serveCommand } from './serve-command.ts'
import { sessionsCommand } from './sessions-command.ts'
import { showCommand } from './show-command.ts'
import { statsCommand } from './stats-command.ts'
import { statusLineCommand } from './statusline-command.ts'
import { storeCommand } from './store-command.ts'
import { type Terminal, writeNotice } from './terminal.ts'
import { timelineCommand } from './timeline-command.ts'
import { tokenCommand } from './token-command.ts'
import { trustCommand } from './trust-command.ts'
import { undoCommand } from './undo-command.ts'
import { validateCommand } from './validate-command.ts'
import { version } from './version.ts'
import { visible } from './visible-text.ts'
import { watchCommand } from './watch-command.ts'
import { fittedHelp } from './wrapped.ts'

/** 0: done. 1: done, and the answer is no. 2: wrong usage or unreadable input. `run` returns the code of its agent. */
export type ExitCode = number

const examples = `
Examples:
  palimpsest                                 what your agents' sessions cost
  palimpsest run claude                      try it: one run, and what it saved
  palimpsest init                            keep it: set up your agents
  palimpsest doctor                          check it: gateway, store, agents
  palimpsest init --undo                     leave: take everything back
  palimpsest serve                           run the gateway for any agent
  palimpsest gain                            what was saved this week
  palimpsest watch                           a session live
  palimpsest show                            what the last request left out
  palimpsest undo a1b2c3                     bring an original back
  palimpsest pause                           pause pruning
  palimpsest inspect session.jsonl           what fills a session's context
  palimpsest replay session.jsonl            what the model saw, turn by turn
  palimpsest compare session.jsonl           presets and prices side by side
  palimpsest stats session.jsonl             what each strategy saves in it
  palimpsest report session.jsonl            all of it as one HTML file
  palimpsest explain session.jsonl a1b2c3    how one item was shown, and why
  palimpsest changelog session.jsonl         what it changed in each file
  palimpsest validate body.json --format anthropic
  palimpsest restore a1b2c3                  the original behind a placeholder
  palimpsest sessions                        what the store holds
  palimpsest token create ana                a token for a shared gateway
  palimpsest memory --help                   memory of you and your projects
  palimpsest mcp                             tools for any MCP client
  palimpsest trust                           trust this folder's configuration

All commands take --json, except hook, mcp and store export, which always print
JSON.

Exit codes: 0 done, 1 done and the answer is no, 2 wrong usage or unreadable input.`

/** Runs the command line and returns its exit code. Throws only on an internal error. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = 0
  const finish = (code: ExitCode): void => {
    exitCode = code
  }
  const program = new Command('palimpsest')
    .description("keeps a coding agent's context true and small")
    .version(version, '-V, --version', 'print the version')
    // Arguments and options are in the help of each command.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .helpOption('-h, --help', 'show this help; `palimpsest <command> --help` has examples')
    .addHelpText('after', examples)
  // Arguments after `run AGENT` belong to the agent.
  program.enablePositionalOptions()
  program.hook('preAction', async (_, command) => {
    const { config } = command.opts<{ config?: string }>()
    // The MCP server's client uses standard input.
    if (command.name() !== 'trust')
      await askForTrust(terminal, { config, mayAsk: command.name() !== 'mcp' })
  })
  const commands = allCommands(terminal, finish)
  for (const command of [program, ...commands, ...commands.flatMap((parent) => parent.commands)]) {
    command.exitOverride().showHelpAfterError('(use --help for usage)')
    command.configureOutput({
      writeOut: (text) => void terminal.out.write(fittedHelp(text, terminal.columns)),
      writeErr: (text) => void terminal.err.write(visible(text)),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    })
    if (commands.includes(command)) program.addCommand(command)
  }

  try {
    const isAlone = args.length === 0 || (args.length === 1 && args[0] === '--json')
    if (isAlone) {
      await printFirstLook(terminal, { json: args.length === 1 })
      return 0
    }
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has already printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!PalimpsestError.is(error)) throw error
    writeNotice(terminal, `palimpsest: ${error.message}`)
    return error.code === 'absent' ? 1 : 2
  }
}

/** In the order of the help. */
function allCommands(terminal: Terminal, finish: (code: ExitCode) => void): readonly Command[] {
  return [
    runCommand(terminal, finish),
    initCommand(terminal, finish),
    doctorCommand(terminal, finish),
    serveCommand(terminal),
    gainCommand(terminal),
    watchCommand(terminal),
    showCommand(terminal),
    restoreCommand(terminal, finish),
    undoCommand(terminal, finish),
    ...pauseCommands(terminal),
    replayCommand(terminal),
    inspectCommand(terminal),
    compareCommand(terminal),
    statsCommand(terminal),
    reportCommand(terminal),
    explainCommand(terminal, finish),
    timelineCommand(terminal, finish),
    changelogCommand(terminal),
    validateCommand(terminal, finish),
    statusLineCommand(terminal),
    sessionsCommand(terminal),
    gcCommand(terminal),
    purgeCommand(terminal, finish),
    storeCommand(terminal, finish),
    tokenCommand(terminal, finish),
    memoryCommand(terminal, finish),
    mcpCommand(terminal),
    toolHookCommand(terminal),
    trustCommand(terminal, finish),
    completionCommand(terminal),
  ]
}
