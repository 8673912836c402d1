import { PassThrough } from 'node:stream'
import pc from 'picocolors'
import { runProgram } from '../src/cli/program.ts'

export interface CapturedRun {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface CapturedRunOptions {
  readonly cwd: string
  /** The user's own folder; none when left out. */
  readonly home?: string
  /** A person at the terminal who answers so; nobody is there when left out. */
  readonly answer?: boolean
  /** How far the clock goes on at every look. */
  readonly stepMs?: number
}

/** Runs the command line as `main.ts` does, on a terminal that nobody watches. */
export async function captureRun(
  args: readonly string[],
  options: CapturedRunOptions,
): Promise<CapturedRun> {
  const out = new PassThrough({ highWaterMark: 1 << 26 })
  const err = new PassThrough({ highWaterMark: 1 << 26 })
  let now = 0
  const code = await runProgram(args, {
    out,
    err,
    colors: pc.createColors(false),
    columns: 100,
    watched: false,
    cwd: options.cwd,
    home: options.home,
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
