import path from 'node:path'
import { createEngineMaker } from '../config/engine-maker.ts'
import { configSources } from '../config/load.ts'
import type { Pauses } from '../config/pauses.ts'
import { errorMessage } from '../core/words/errors.ts'
import { createDashboardApi, type DashboardApi } from '../dashboard/api-route.ts'
import { forgetItem } from '../dashboard/forget-item.ts'
import { settingsView } from '../dashboard/settings-view.ts'
import type { Gateway } from '../gateway/index.ts'
import type { Environment } from '../session/environment.ts'
import type { Store } from '../store/index.ts'
import { ownedStore } from '../store/owned-store.ts'
import type { SetupOptions } from './chosen-store.ts'
import { withSaved } from './memory-open.ts'
import { agentSetups, placeOf } from './serving-lines.ts'
import { type Terminal, writeNotice } from './terminal.ts'
import { version } from './version.ts'

export interface ServedDashboardParts {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly store: Store
  readonly pauses: Pauses
  readonly options: SetupOptions
  readonly token: string
  /** null before it listens. */
  gateway(): Gateway | null
}

/** The dashboard's routes for a gateway that `serve` runs. */
export function createServedDashboard(parts: ServedDashboardParts): DashboardApi {
  const { terminal, environment, store, pauses, options, token } = parts
  const { config, location, memoryOf } = environment
  const { home, cwd, now } = terminal
  return createDashboardApi({
    store,
    config,
    pauses,
    token,
    now,
    maker: createEngineMaker(config),
    useMemory: (work, owner = null) => withSaved(memoryOf(owner), work),
    forget: (id, done, owner = null) => {
      const own = owner === null ? store : ownedStore(store, owner)
      return memoryOf(owner).use((memory) => forgetItem({ memory, store: own, home }, id, done))
    },
    status() {
      const status = parts.gateway()?.status()
      const { startedAt = now(), faults, bypasses = {}, verified = null } = status ?? {}
      return {
        version,
        startedAt,
        store: placeOf(location),
        faults: faults ?? { connections: 0, internal: 0 },
        bypasses,
        verified,
      }
    },
    settings: () =>
      settingsView({
        config,
        sources: configSources({ cwd, home, config: options.config }),
        options: { preset: options.preset, schedule: options.schedule },
        userFile: home === undefined ? null : path.join(home, 'palimpsest.jsonc'),
        agents: agentSetups(parts.gateway()?.url ?? ''),
      }),
    onFault: (fault) => writeNotice(terminal, `palimpsest: dashboard: ${errorMessage(fault)}`),
  })
}
