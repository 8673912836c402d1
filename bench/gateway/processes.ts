import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface StartedProcess {
  readonly url: string
  /** Processor time that all of its threads have taken so far; NaN where the system does not say. */
  processorMs(): number
  /** Resident memory in MB; NaN where the system does not say. */
  residentMb(): number
  /** The process has to run with `heap-probe.mjs`. */
  probe(): Promise<Probe>
  stop(): Promise<void>
}

export interface Probe {
  /** In use after a full collection. */
  readonly liveHeapMb: number
  /** How late the event loop was since the last probe. */
  readonly delayMs: { readonly p50: number; readonly p99: number }
  readonly descriptors: number
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
    async probe() {
      const answer = lineWith(/^probe (\d+) (\d+) (\d+) (\d+)$/)
      child.kill('SIGUSR2')
      const [, bytes, p50, p99, descriptors] = (await answer).map(Number) as number[]
      return {
        liveHeapMb: (bytes as number) / 1024 / 1024,
        delayMs: { p50: (p50 as number) / 1000, p99: (p99 as number) / 1000 },
        descriptors: descriptors as number,
      }
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
