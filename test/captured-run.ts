import { PassThrough } from 'node:stream'
import { runProgram } from '../src/cli/program.ts'
import { ownColors } from '../src/cli/visible-text.ts'

export interface CapturedRun {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface CapturedRunOptions {
  readonly cwd: string
  /** The folder of store and configuration; none when left out. */
  readonly home?: string
  /** The user's home folder; unknown when left out. */
  readonly userHome?: string
  /** A person at the terminal who answers so; nobody is there when left out. */
  readonly answer?: boolean
  /** How far the clock goes on at every look. */
  readonly stepMs?: number
  /** Whether a person sits before a terminal with colours. */
  readonly isTerminal?: boolean
  /** Whether a person watches standard error. */
  readonly watched?: boolean
}

/** Runs the command line as `main.ts` does; its output goes into a pipe unless `isTerminal` is said. */
export async function captureRun(
  args: readonly string[],
  options: CapturedRunOptions,
): Promise<CapturedRun> {
  const { cwd, home, isTerminal = false } = options
  const out = Object.assign(new PassThrough({ highWaterMark: 1 << 26 }), { isTTY: isTerminal })
  const err = new PassThrough({ highWaterMark: 1 << 26 })
  let now = 0
  const code = await runProgram(args, {
    out,
    err,
    colors: ownColors(isTerminal),
    columns: 100,
    watched: options.watched ?? false,
    cwd,
    home,
    ...(options.userHome === undefined
      ? {}
      : { user: { home: options.userHome, env: { PATH: process.env.PATH } } }),
    ...(options.answer === undefined
      ? {}
      : {
          ask: async (question: string) => {
            err.write(question)
            return options.answer ?? null
          },
        }),
    now: () => {
      now += options.stepMs ?? 0
      return now
    },
  })
  const text = (stream: PassThrough): string => String(stream.read() ?? '')
  return { code, out: text(out), err: text(err) }
}
