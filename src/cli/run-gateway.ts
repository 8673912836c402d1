import { openPauses } from '../config/pauses.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { type RequestReport, startGateway, upstreamsWith } from '../gateway/index.ts'
import { type Environment, openEnvironment } from '../session/environment.ts'
import { isLearning } from '../session/learning.ts'
import type { Setup } from '../session/setup.ts'
import type { Store } from '../store/index.ts'
import type { SetupOptions } from './chosen-store.ts'
import { mcpParts } from './mcp-command.ts'
import { writeRestoreLauncher } from './restore-launcher.ts'
import { type Terminal, writeNotice } from './terminal.ts'
import { catchUncaught } from './uncaught-errors.ts'

/** A gateway that lives as long as one run of an agent. */
export interface RunGateway {
  readonly url: string
  readonly store: Store
  /** The requests that were answered so far. */
  readonly reports: readonly RequestReport[]
  close(): Promise<void>
}

export interface RunGatewayOptions {
  readonly terminal: Terminal
  readonly setup: Setup
  readonly options: SetupOptions
  readonly upstreams: Readonly<Record<string, string>>
}

export async function startRunGateway(parts: RunGatewayOptions): Promise<RunGateway> {
  const { terminal, setup, options } = parts
  const environment = await writableEnvironment(terminal, setup, options)
  const { config, location } = environment
  const store = await environment.store.open()
  const reports: RequestReport[] = []
  // The agent draws on the terminal, so problems are printed when it has ended.
  const problems = new Map<string, number>()
  const note = (line: string): void => void problems.set(line, (problems.get(line) ?? 0) + 1)
  try {
    const { mcpRoute } = await import('../mcp/index.ts')
    const gateway = await startGateway({
      store,
      config,
      upstreams: upstreamsWith(parts.upstreams),
      ownRoutes: [mcpRoute(mcpParts(terminal, environment, 'http', { store: options.store }))],
      pauses: openPauses(terminal.home, terminal.now),
      memory: environment.memory,
      learn: isLearning(environment),
      restoreCommand: writeRestoreLauncher({
        terminal,
        location,
        isConfigured: options.store === undefined && options.config === undefined,
      }),
      allowedHosts: config.allowedHosts ?? [],
      onAnswered: (report) => void reports.push(report),
      onFault: (reason, fault) =>
        note(`sent unchanged: ${reason}${fault instanceof Error ? ` (${fault.message})` : ''}`),
    })
    const stopCatching = catchUncaught(terminal, () => gateway.noteFault())
    return {
      url: gateway.url,
      store,
      reports,
      async close() {
        await gateway.close(2_000)
        stopCatching()
        await environment.close()
        for (const [line, times] of problems)
          writeNotice(terminal, `palimpsest: ${line}${times === 1 ? '' : `, ${times} times`}`)
      },
    }
  } catch (error) {
    await environment.close()
    throw error
  }
}

/** A home that cannot be written must not keep an agent from running. */
async function writableEnvironment(
  terminal: Terminal,
  setup: Setup,
  { store }: SetupOptions,
): Promise<Environment> {
  const environment = openEnvironment(setup, { now: terminal.now })
  try {
    await environment.store.use(() => {})
    return environment
  } catch (error) {
    await environment.close()
    const isChosen = store !== undefined || setup.config.store !== undefined
    if (isChosen || !PalimpsestError.is(error) || !error.code.startsWith('store-')) throw error
    writeNotice(
      terminal,
      `palimpsest: ${error.message}\npalimpsest: originals are kept in memory until this run ends`,
    )
    return openEnvironment({ ...setup, location: { kind: 'memory' } }, { now: terminal.now })
  }
}
