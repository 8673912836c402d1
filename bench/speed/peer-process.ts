import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { InstalledDcp } from './install-dcp.ts'
import type { PeerReport } from './measure-peer.ts'

/** The times of a peer; null for what it did not finish in time. */
export interface PeerTiming {
  readonly resumeMs: number | null
  readonly turnMs: number | null
  /** The time limit. */
  readonly waitedMs: number
}

interface PeerProcessOptions {
  readonly script: string
  readonly installed: InstalledDcp
  readonly calls: number
  readonly deadlineMs: number
}

/** Measures the peer in its own process, because it blocks, and kills that process at the time limit. */
export function measureInProcess(options: PeerProcessOptions): Promise<PeerTiming> {
  const { script, installed, calls, deadlineMs } = options
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, '--peer', installed.entry, `${calls}`], {
      env: { ...process.env, ...installed.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const reports = new Map<PeerReport['kind'], number>()
    createInterface({ input: child.stdout }).on('line', (line) => {
      const report = parseReport(line)
      if (report !== null) reports.set(report.kind, report.ms)
    })
    const deadline = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(deadline)
      if (code !== 0 && signal === null) {
        reject(new Error(`the process that measures ${installed.entry} ended with code ${code}`))
        return
      }
      resolve({
        resumeMs: reports.get('resume') ?? null,
        turnMs: reports.get('turn') ?? null,
        waitedMs: performance.now() - start,
      })
    })
  })
}

/** Ignores lines that the plugin itself prints. */
export function parseReport(line: string): PeerReport | null {
  try {
    const parsed: unknown = JSON.parse(line)
    if (typeof parsed !== 'object' || parsed === null) return null
    const [kind, ms]: readonly unknown[] = [Reflect.get(parsed, 'kind'), Reflect.get(parsed, 'ms')]
    return (kind === 'resume' || kind === 'turn') && typeof ms === 'number' ? { kind, ms } : null
  } catch {
    return null
  }
}
