import { Sealing } from '../sealing.ts'
import type { StoreTables } from '../tables.ts'
import { OpenChains } from './block-writer.ts'
import type { SqlEngine } from './engine.ts'

/** The database of sessions, and how their texts are encrypted. */
export interface StoreEngine extends SqlEngine<StoreTables> {
  sealing: Sealing
}

/** State that the functions of one open store share. */
export interface StoreContext {
  readonly engine: StoreEngine
  readonly chains: OpenChains
  /** See `Store`. */
  renewals: number
}

export function createContext(
  engine: SqlEngine<StoreTables>,
  sealing: Sealing = new Sealing(),
): StoreContext {
  return { engine: { ...engine, sealing }, chains: new OpenChains(), renewals: 0 }
}
