import type { StartedProcess } from './processes.ts'

/** One line of the result. A row without a limit is there to be read beside the others. */
export interface Row {
  readonly what: string
  readonly value: string
  readonly limit: string
  readonly holds: boolean
}

/** What a part of the benchmark works with. */
export interface Stage {
  readonly isQuick: boolean
  readonly upstream: StartedProcess
  /** With a store of its own. */
  startGateway(): Promise<StartedProcess>
  startProxy(): Promise<StartedProcess>
}

export function figure(what: string, value: string): Row {
  return { what, value, limit: '', holds: true }
}

/** The processor time that a process takes for each of so many requests. */
export async function processorMsEach(
  process: StartedProcess,
  requests: number,
  work: () => Promise<void>,
): Promise<number> {
  const before = process.processorMs() ?? Number.NaN
  await work()
  return ((process.processorMs() ?? Number.NaN) - before) / requests
}
