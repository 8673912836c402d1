import type { Store } from '../../src/store/index.ts'

/** A place for one store, opened as often as a case likes, also several times at once. */
export interface StorePlace {
  readonly engine: Store['engine']
  /** The clock of every store that is opened here; a case may set it. */
  readonly clock: { now: number }
  open(): Promise<Store>
}

/** One sentence of the contract. It throws when the store does not keep it. */
export interface ContractCase {
  readonly name: string
  run(place: StorePlace): Promise<void>
}
