import type { StoreLocation } from '../../store/location.ts'
import { createInMemoryLog, type MemoryLog } from './memory-log.ts'
import { openPostgresLog } from './postgres-log.ts'
import { openSqliteLog } from './sqlite-log.ts'

/** Opens the memory log of an owner at a store's location; null: the one that belongs to whoever has the store. */
export async function openLog(
  location: StoreLocation,
  owner: string | null = null,
): Promise<MemoryLog> {
  switch (location.kind) {
    case 'memory':
      return createInMemoryLog()
    case 'sqlite':
      return openSqliteLog(location.path, { owner, key: location.key })
    case 'postgres':
      return openPostgresLog(location.url, { owner, key: location.key })
  }
}
