import { once } from 'node:events'
import { homedir } from 'node:os'
import type { Writable } from 'node:stream'
import pc from 'picocolors'
import { userConfigFolder } from '../config/user-folder.ts'
import { runningProgram } from './restore-launcher.ts'

/** Where the command line writes. Results go to `out` and nothing else does. */
export interface Terminal {
  readonly out: Writable
  readonly err: Writable
  readonly colors: ReturnType<typeof pc.createColors>
  readonly columns: number
  /** True when a person watches standard error. */
  readonly watched: boolean
  /** Where the person stands, and the folder of their store and configuration. */
  readonly cwd: string
  readonly home: string | undefined
  /** What runs this program, to run it again; undefined where there is no such command. */
  readonly program?: readonly string[] | undefined
  /** Milliseconds since 1970. */
  now(): number
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env, platform } = process
  return {
    out: stdout,
    err: stderr,
    colors: pc.createColors(pc.isColorSupported && stdout.isTTY === true),
    columns: stdout.columns ?? 100,
    watched: stderr.isTTY === true,
    cwd: process.cwd(),
    home: userConfigFolder({ env, platform, homedir: homedir() }),
    program: runningProgram(),
    now: Date.now,
  }
}

/** Writes lines as fast as the reader takes them, so that a long trace is never held in memory. */
export async function writeLines(stream: Writable, lines: Iterable<string>): Promise<void> {
  let buffered = ''
  for (const line of lines) {
    buffered += `${line}\n`
    if (buffered.length < 1 << 16) continue
    if (!stream.write(buffered)) await once(stream, 'drain')
    buffered = ''
  }
  if (buffered !== '' && !stream.write(buffered)) await once(stream, 'drain')
}
