import type { HostClient, LogEntry } from './host.ts'

/** Messages to the user, in the host's log and as toasts. They enter no conversation and never throw. */
export interface Notices {
  log(level: LogEntry['level'], message: string): void
  /** An error in the plugin. The conversation continues without it. */
  problem(what: string, problem: unknown): void
  /** Shown in the log and on the screen. */
  warn(message: string): void
  toast(message: string): void
}

const service = 'palimpsest'

export function createNotices(client: HostClient): Notices {
  /** The host may have no terminal, or be about to end. */
  const quietly = (work: () => Promise<unknown>): void => {
    try {
      work().catch(() => {})
    } catch {
      // A host without this call.
    }
  }
  const log = (level: LogEntry['level'], message: string): void =>
    quietly(() => client.app.log({ body: { service, level, message } }))
  const showWarning = (message: string): void =>
    quietly(() =>
      client.tui.showToast({ body: { title: 'Palimpsest', message, variant: 'warning' } }),
    )
  const shown = new Set<string>()
  return {
    log,
    problem(what, problem) {
      const message = `${what}: ${problem instanceof Error ? problem.message : describe(problem)}`
      log('error', message)
      // The log has every occurrence; the screen shows only the first.
      if (shown.has(what)) return
      shown.add(what)
      showWarning(message)
    },
    warn(message) {
      log('warn', message)
      showWarning(message)
    },
    toast(message) {
      quietly(() => client.tui.showToast({ body: { message, variant: 'info', duration: 4000 } }))
    },
  }
}

function describe(problem: unknown): string {
  try {
    return typeof problem === 'string' ? problem : (JSON.stringify(problem) ?? String(problem))
  } catch {
    return String(problem)
  }
}
