#!/usr/bin/env node
import { runProgram } from './program.ts'
import { processTerminal } from './terminal.ts'
import { visible } from './visible-text.ts'

// A reader may close the pipe early (`| head`); that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

// Not awaited: modules that commands load later may import this file's bundle, which would then wait for itself.
runProgram(process.argv.slice(2), processTerminal()).then(
  (code) => {
    process.exitCode = code
  },
  (fault: unknown) => {
    const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
    process.stderr.write(
      `palimpsest: internal error, nothing was changed; please report it:\n${visible(stack)}\n`,
    )
    process.exitCode = 2
  },
)
