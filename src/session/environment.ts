import { randomUUID } from 'node:crypto'
import { openLog } from '../memory/log/open-log.ts'
import { Memory } from '../memory/memory.ts'
import type { StoreLocation } from '../store/location.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import { type OpenOptions, openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createResource, type Resource } from './resource.ts'
import type { Setup } from './setup.ts'

/** What every door works with: the configuration, the store and the memory, each opened once. */
export interface Environment extends Setup {
  readonly store: Resource<Store>
  readonly memory: Resource<Memory>
  close(): Promise<void>
}

/** Opens store and memory on first use. The caller must close the environment. */
export function openEnvironment(setup: Setup, options: OpenOptions = {}): Environment {
  const { location } = setup
  const store = createResource(
    () => openSessions(setup, options),
    (opened) => opened.close(),
  )
  const memory = createResource(
    () => openMemory(location, options.now),
    (opened) => opened.close(),
  )
  return {
    ...setup,
    store,
    memory,
    async close() {
      await memory.close()
      await store.close()
    },
  }
}

/** With `record: "none"`, sessions live as long as the process; tokens are in the store all the same. */
async function openSessions({ config, location }: Setup, options: OpenOptions): Promise<Store> {
  const stored = await openStore(location, options)
  if (config.record !== 'none') return stored
  const { now } = options
  const held = createMemoryStore(now === undefined ? {} : { now })
  const { addToken, findToken, tokens, revokeTokens } = stored.team
  return {
    ...held,
    team: { ...held.team, addToken, findToken, tokens, revokeTokens },
    async close() {
      await held.close()
      await stored.close()
    },
  }
}

export async function openMemory(
  location: StoreLocation,
  now: () => number = Date.now,
): Promise<Memory> {
  return new Memory({
    log: await openLog(location),
    now,
    newId: (kind) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 16)}`,
  })
}
