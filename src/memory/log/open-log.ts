import type { StoreLocation } from '../../store/location.ts'
import { createInMemoryLog, type MemoryLog } from './memory-log.ts'
import { openPostgresLog } from './postgres-log.ts'
import { openSqliteLog } from './sqlite-log.ts'

/** Opens an owner's memory log at a store's location. The owner null has no name: everyone with access to the store uses it. */
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
