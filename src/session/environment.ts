import { randomUUID } from 'node:crypto'
import { setRecent } from '../core/words/recent.ts'
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
  /** The memory of the owner of a named token. null returns `memory`, which belongs to the owner of the store. */
  memoryOf(owner: string | null): Resource<Memory>
  close(): Promise<void>
}

/** Each open memory has its own connection. */
const mostOpenMemories = 20

/** Opens store and memory on first use. The caller must close the environment. */
export function openEnvironment(setup: Setup, options: OpenOptions = {}): Environment {
  const { location } = setup
  const store = createResource(
    () => openSessions(setup, options),
    (opened) => opened.close(),
  )
  const memoryAt = (owner: string | null): Resource<Memory> =>
    createResource(
      () => openMemory(location, options.now, owner),
      (opened) => opened.close(),
    )
  const memory = memoryAt(null)
  const owned = new Map<string, Resource<Memory>>()

  function memoryOf(owner: string | null): Resource<Memory> {
    if (owner === null) return memory
    const own = owned.get(owner) ?? memoryAt(owner)
    for (const unused of setRecent(owned, owner, own, mostOpenMemories))
      void unused.close().catch(() => {})
    return own
  }

  return {
    ...setup,
    store,
    memory,
    memoryOf,
    async close() {
      for (const each of [memory, ...owned.values()]) await each.close()
      await store.close()
    },
  }
}

/** With `record: "none"`, sessions live as long as the process, but tokens are still in the store. */
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
  owner: string | null = null,
): Promise<Memory> {
  return new Memory({
    log: await openLog(location, owner),
    now,
    newId: (kind) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 16)}`,
  })
}
