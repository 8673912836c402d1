import type { StoreTables } from '../tables.ts'
import { OpenChains } from './block-writer.ts'
import type { SqlEngine } from './engine.ts'

/** State that the functions of one open store share. */
export interface StoreContext {
  readonly engine: SqlEngine<StoreTables>
  readonly chains: OpenChains
  /** See `Store`. */
  renewals: number
}

export function createContext(engine: SqlEngine<StoreTables>): StoreContext {
  return { engine, chains: new OpenChains(), renewals: 0 }
}
