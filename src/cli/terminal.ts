import { once } from 'node:events'
import { homedir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import type { Writable } from 'node:stream'
import pc from 'picocolors'
import { userConfigFolder } from '../config/user-folder.ts'
import { withoutSecrets } from '../core/words/secrets.ts'
import type { UserPlaces } from './agent-folders.ts'
import { runningProgram } from './restore-launcher.ts'
import { standardStream } from './standard-stream.ts'
import { type Colors, ownColors, visible, visibleWithCodes } from './visible-text.ts'
import { fittedLines } from './wrapped.ts'

/** The terminal of a command. Only results are written to `out`. */
export interface Terminal {
  readonly out: Writable
  readonly err: Writable
  readonly colors: Colors
  readonly columns: number
  /** True when a person watches standard error. */
  readonly watched: boolean
  readonly cwd: string
  /** The folder of the user's store and configuration. */
  readonly home: string | undefined
  /** Where agents keep their own sessions; they are not looked for when left out. */
  readonly user?: UserPlaces
  /** Asks a yes-or-no question; null when there was no answer. Undefined without a terminal. */
  ask?(question: string): Promise<boolean | null>
  /** The command that started this program; undefined when unknown. */
  readonly program?: readonly string[] | undefined
  /** What was piped into `palimpsest hook`, which is read before the rest of the program is loaded. */
  readonly piped?: string | undefined
  /** Milliseconds since 1970. */
  now(): number
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  return {
    out: standardStream(stdout, 1),
    err: standardStream(stderr, 2),
    colors: ownColors(pc.isColorSupported && (stdout.isTTY === true || isForced())),
    // Some terminals say that they have no columns.
    columns: stdout.columns || 80,
    watched: stderr.isTTY === true,
    cwd: process.cwd(),
    home: userConfigFolder(),
    user: { home: homedir(), env: process.env },
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
 * Writes lines as fast as the reader takes them, so that a long trace is never held in memory. Control characters become
 * visible, except in our own colours.
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

export function writeJson({ out }: Pick<Terminal, 'out'>, value: unknown): Promise<void> {
  return writeLines(out, [JSON.stringify(value)])
}

/** Writes a result as one JSON value with `--json`, or else as lines. */
export function writeResult(
  terminal: Pick<Terminal, 'out'>,
  { json }: { readonly json?: boolean | undefined },
  value: unknown,
  lines: Iterable<string>,
): Promise<void> {
  return json ? writeJson(terminal, value) : writeLines(terminal.out, lines)
}

/**
 * Writes a line to standard error, with control characters made visible, and without secrets. Before a person it is broken
 * at spaces where the terminal ends.
 */
export function writeNotice(
  { err, columns = 80, watched = false }: Pick<Terminal, 'err'> & Partial<Terminal>,
  text: string,
): void {
  const shown = visibleWithCodes(withoutSecrets(text))
  const lines = watched ? fittedLines(shown, columns) : [shown]
  err.write(`${lines.join('\n')}\n`)
}

/** Writes content unchanged to a file or a pipe. In a terminal, control characters become visible, with a notice. */
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

export function isTerminal(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}

/** `FORCE_COLOR` asks for colours in a pipe, too. */
function isForced(): boolean {
  const { FORCE_COLOR: forced = '' } = process.env
  return forced !== '' && forced !== '0'
}
