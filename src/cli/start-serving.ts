import { openPauses } from '../config/pauses.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import type { DashboardApi } from '../dashboard/api-route.ts'
import { type Gateway, startGateway, type Upstreams } from '../gateway/index.ts'
import { otlpSettings } from '../gateway/operations/otlp/settings.ts'
import type { Environment } from '../session/environment.ts'
import { isLearning } from '../session/learning.ts'
import type { Store } from '../store/index.ts'
import type { SetupOptions } from './chosen-store.ts'
import { mcpParts } from './mcp-command.ts'
import { openReceiptLog } from './receipt-log.ts'
import type { RequestLog } from './request-log.ts'
import { writeRestoreLauncher } from './restore-launcher.ts'
import { type Terminal, writeNotice } from './terminal.ts'
import { version } from './version.ts'

/** The options of `serve` that its parts need. */
export interface ServingOptions extends SetupOptions {
  readonly host: string
  readonly allowHost: readonly string[]
  readonly log?: string
}

export interface ServingSetup {
  readonly terminal: Terminal
  readonly options: ServingOptions
  readonly environment: Environment
  readonly store: Store
  readonly upstreams: Upstreams
  readonly port: number
  readonly token: string | null
  readonly dashboardToken: string
  readonly requestLog: RequestLog
}

/** Starts the gateway with its dashboard and its MCP server. */
export async function startServing(
  setup: ServingSetup,
): Promise<{ readonly gateway: Gateway; readonly dashboard: DashboardApi }> {
  const { terminal, options, environment, store, upstreams, port, token, requestLog } = setup
  const { config, location } = environment
  const mcp = mcpParts(terminal, environment, 'http', { store: options.store })
  const { mcpRoute } = await import('../mcp/index.ts')
  const { createServedDashboard } = await import('./served-dashboard.ts')
  const { pageRoutes } = await import('../dashboard/page-routes.ts')
  const pauses = openPauses(terminal.home, terminal.now)
  const receiptLog = openReceiptLog(terminal, options.log ?? config.log)
  let started: Gateway | null = null
  const dashboard = createServedDashboard({
    terminal,
    environment,
    store,
    pauses,
    options,
    token: setup.dashboardToken,
    gateway: () => started,
  })
  const gateway = await listening(
    startGateway({
      ownRoutes: [
        mcpRoute(mcp),
        dashboard.route,
        ...pageRoutes({ isTokenRequired: token !== null }),
      ],
      pauses,
      onAnswered(report) {
        requestLog.add(report)
        receiptLog(report)
        dashboard.events.answered(report.session)
      },
      memory: { use: (work, owner) => environment.memoryOf(owner).use(work) },
      learn: isLearning(environment),
      onRemembered: (line) => writeNotice(terminal, line),
      store,
      config,
      version,
      otlp: otlpSettings(process.env),
      upstreams,
      host: options.host,
      port,
      token,
      allowedHosts: [...(config.allowedHosts ?? []), ...options.allowHost],
      restoreCommand: writeRestoreLauncher({
        terminal,
        location,
        isConfigured: options.store === undefined && options.config === undefined,
      }),
      onFault: (reason, fault) => writeNotice(terminal, faultLine(reason, fault)),
    }),
    port,
  )
  started = gateway
  return { gateway, dashboard }
}

async function listening(starting: Promise<Gateway>, port: number): Promise<Gateway> {
  try {
    return await starting
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw cause
    throw new PalimpsestError(
      'usage',
      `cannot listen on port ${port} (${code}): choose another --port`,
      {
        cause,
      },
    )
  }
}

function faultLine(reason: string, fault: unknown): string {
  const message = fault instanceof Error ? fault.message : ''
  // Jobs besides requests name what was not done.
  const what = / (was|were|did) not /.test(reason) ? reason : `sent unchanged: ${reason}`
  return `palimpsest: ${what}${message === '' ? '' : ` (${message})`}`
}
