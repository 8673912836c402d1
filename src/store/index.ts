/** Sessions that outlive the process: one interface over memory, SQLite and PostgreSQL. */
export { addedMessages, historiesOf } from './histories.ts'
export { type LocationOptions, type StoreLocation, storeLocation } from './location.ts'
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts'
export type { Migrated } from './migrate.ts'
export { type OpenOptions, openStore } from './open-store.ts'
export {
  type Besides,
  createSessionWriter,
  type SessionWriter,
} from './session-writer.ts'
export type * from './store.ts'
export type * from './team.ts'
