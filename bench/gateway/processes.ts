import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface StartedProcess {
  readonly url: string
  /** Processor time that all of its threads have taken so far; NaN where the system does not say. */
  processorMs(): number
  /** Resident memory in MB; NaN where the system does not say. */
  residentMb(): number
  /** MB in use after a full collection. The process has to run with `heap-probe.mjs`. */
  liveHeapMb(): Promise<number>
  stop(): Promise<void>
}

/** Starts a program that prints a port, or `listening on URL`, once it listens. */
export function startProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<StartedProcess> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })
  const lineWith = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      gone.then(() => reject(new Error(`${args.join(' ')} ended early`)))
      const look = (line: string): void => {
        const found = pattern.exec(line)
        if (found === null) return
        lines.off('line', look)
        resolve(found)
      }
      lines.on('line', look)
    })
  return lineWith(/^(?:listening on (http:\S+)|(\d+))$/).then(([, url, port]) => ({
    url: url ?? `http://127.0.0.1:${port}`,
    processorMs: () => processorMs(child.pid),
    residentMb: () => residentMb(child.pid),
    async liveHeapMb() {
      const answer = lineWith(/^heap (\d+)$/)
      child.kill('SIGUSR2')
      return Number((await answer)[1]) / 1024 / 1024
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }))
}

function residentMb(pid: number | undefined): number {
  try {
    const [, kilobytes] =
      /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return Number.NaN
  }
}

/** Linux counts in hundredths of a second for every program. */
const msPerTick = 10

function processorMs(pid: number | undefined): number {
  try {
    // The name, in parentheses, may have spaces; user and system time are the 12th and 13th after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return Number.NaN
  }
}
