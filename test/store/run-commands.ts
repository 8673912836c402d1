import { writeSync } from 'node:fs'
import { captureRun } from '../captured-run.ts'

/** A command line to run, and the folder to run it in. */
export interface CommandToRun {
  readonly args: readonly string[]
  readonly cwd: string
}

export interface CommandOutcome {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly elapsedMs: number
  /** Processor time, which a busy machine does not change. */
  readonly processorMs: number
}

/**
 * Runs one command after the other in this process and writes what each came to as a line of JSON. With a user id, as
 * that user: everything is loaded before, because another user may not be allowed to read it.
 */
async function main(commands: readonly CommandToRun[], userId: number | null): Promise<void> {
  if (userId !== null) {
    const [first] = commands
    await captureRun(['memory', 'add', 'fact', 'x', '--store', `${first?.cwd}/first.db`], {
      cwd: first?.cwd ?? '',
    })
    await import('pg')
    process.setgroups?.([userId])
    process.setgid?.(userId)
    process.setuid?.(userId)
  }
  for (const { args, cwd } of commands) {
    const before = performance.now()
    const used = process.cpuUsage()
    const run = await captureRun(args, { cwd, userHome: cwd }).catch((fault: unknown) => ({
      code: -1,
      out: '',
      err: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    }))
    const { user, system } = process.cpuUsage(used)
    const processorMs = (user + system) / 1000
    const outcome: CommandOutcome = { ...run, elapsedMs: performance.now() - before, processorMs }
    writeSync(1, `${JSON.stringify(outcome)}\n`)
  }
  // A server that listens, or waits for its input, would go on.
  process.exit(0)
}

const [commands = '[]', userId = 'null'] = process.argv.slice(2)
await main(JSON.parse(commands) as readonly CommandToRun[], JSON.parse(userId) as number | null)
