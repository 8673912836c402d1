import type { StoreLocation } from '../../store/location.ts'
import { createInMemoryLog, type MemoryLog } from './memory-log.ts'
import { openPostgresLog } from './postgres-log.ts'
import { openSqliteLog } from './sqlite-log.ts'

/** Opens the memory log at a store's location. */
export async function openLog(location: StoreLocation): Promise<MemoryLog> {
  switch (location.kind) {
    case 'memory':
      return createInMemoryLog()
    case 'sqlite':
      return openSqliteLog(location.path)
    case 'postgres':
      return openPostgresLog(location.url)
  }
}
