import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Writable } from 'node:stream'
import pc from 'picocolors'
import { userConfigFolder } from '../config/user-folder.ts'
import { runningProgram } from './restore-launcher.ts'
import { type Colors, ownColors, visible, visibleWithCodes } from './visible-text.ts'

/** Where the command line writes. Results go to `out` and nothing else does. */
export interface Terminal {
  readonly out: Writable
  readonly err: Writable
  readonly colors: Colors
  readonly columns: number
  /** True when a person watches standard error. */
  readonly watched: boolean
  /** Where the person stands, and the folder of their store and configuration. */
  readonly cwd: string
  readonly home: string | undefined
  /** Asks the person a yes-or-no question; null when they gave no answer. Left out where nobody is at the terminal. */
  ask?(question: string): Promise<boolean | null>
  /** What runs this program, to run it again; undefined where there is no such command. */
  readonly program?: readonly string[] | undefined
  /** Milliseconds since 1970. */
  now(): number
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  return {
    out: stdout,
    err: stderr,
    colors: ownColors(pc.isColorSupported && stdout.isTTY === true),
    columns: stdout.columns ?? 100,
    watched: stderr.isTTY === true,
    cwd: process.cwd(),
    home: userConfigFolder(),
    ...(stdin.isTTY === true && stderr.isTTY === true ? { ask } : {}),
    program: runningProgram(),
    now: Date.now,
  }
}

async function ask(question: string): Promise<boolean | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and Ctrl-D close it without an answer.
  const closed = new Promise<null>((resolve) => lines.once('close', () => resolve(null)))
  try {
    const answer = await Promise.race([lines.question(question), closed])
    return answer === null ? null : /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

/**
 * Writes lines as fast as the reader takes them, so that a long trace is never held in memory. Controls in them become
 * visible, our own colours aside.
 */
export async function writeLines(stream: Writable, lines: Iterable<string>): Promise<void> {
  let buffered = ''
  for (const line of lines) {
    buffered += `${visibleWithCodes(line)}\n`
    if (buffered.length < 1 << 16) continue
    if (!stream.write(buffered)) await once(stream, 'drain')
    buffered = ''
  }
  if (buffered !== '' && !stream.write(buffered)) await once(stream, 'drain')
}

/** Says something on standard error, with controls made visible. */
export function writeNotice({ err }: Pick<Terminal, 'err'>, text: string): void {
  err.write(`${visibleWithCodes(text)}\n`)
}

/** Writes content byte for byte into a file or a pipe. A terminal gets it with controls made visible, and a notice. */
export async function writeContent(terminal: Terminal, text: string): Promise<void> {
  const { out } = terminal
  const shown = isTerminal(out) ? visible(text) : text
  if (!out.write(shown)) await once(out, 'drain')
  if (shown !== text)
    writeNotice(
      terminal,
      'palimpsest: control characters are shown as \\u…; redirect the output to get every byte',
    )
}

function isTerminal(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}
