#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { isShortOutput } from './short-output.ts'

// A reader may close the pipe early (`| head`); that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

async function start(args: readonly string[]): Promise<number> {
  const piped = args[0] === 'hook' && !process.stdin.isTTY ? await text(process.stdin) : undefined
  // Claude Code waits for its hook after every command, and most outputs are short.
  if (piped !== undefined && isShortOutput(piped)) return 0
  const { runProgram } = await import('./program.ts')
  const { processTerminal } = await import('./terminal.ts')
  return runProgram(args, { ...processTerminal(), piped })
}

// Not awaited: modules that commands load later may import this file's bundle, which would then wait for itself.
start(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  async (fault: unknown) => {
    const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
    const { visible } = await import('./visible-text.ts')
    process.stderr.write(
      `palimpsest: internal error, nothing was changed; please report it:\n${visible(stack)}\n`,
    )
    process.exitCode = 2
  },
)
