import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface StartedProcess {
  readonly url: string
  /** Memory in use by it now, in MB; null where the system does not say. */
  residentMb(): number | null
  /** Processor time that all of its threads have taken so far; null where the system does not say. */
  processorMs(): number | null
  stop(): Promise<void>
}

/**
 * For what stands around the gateway. V8's other threads would take a core from the gateway at any time, and what they
 * take would be measured as its own.
 */
export const oneThread = '--single-threaded'

/** Starts a program that prints a port, or `listening on URL`, once it listens. */
export function startProcess(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  flags: readonly string[] = [],
): Promise<StartedProcess> {
  const child: ChildProcess = spawn(process.execPath, [...flags, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return new Promise((resolve, reject) => {
    gone.then(() => reject(new Error(`${file} ended before it listened`)))
    const output = child.stdout as NonNullable<typeof child.stdout>
    createInterface({ input: output }).on('line', (line) => {
      const said = /^(?:listening on (http:\S+)|(\d+))$/.exec(line)
      if (said === null) return
      resolve({
        url: said[1] ?? `http://127.0.0.1:${said[2]}`,
        residentMb: () => residentMb(child.pid),
        processorMs: () => processorMs(child.pid),
        async stop() {
          child.kill('SIGTERM')
          await gone
        },
      })
    })
  })
}

function residentMb(pid: number | undefined): number | null {
  try {
    const pages = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return pages === undefined ? null : Number(pages) / 1024
  } catch {
    return null
  }
}

/** Linux counts in hundredths of a second for every program, whatever its own clock does. */
const msPerTick = 10

function processorMs(pid: number | undefined): number | null {
  try {
    // The name, in parentheses, may have spaces; user and system time are the 12th and 13th after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return null
  }
}
