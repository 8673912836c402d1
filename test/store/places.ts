import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  createMemoryStore,
  openStore,
  type Store,
  type StoreLocation,
} from '../../src/store/index.ts'
import type { ContractCase, StorePlace } from './contract.ts'

/** Makes an empty place, runs a case there, and has the store look at itself before everything is removed. */
export type PlaceMaker = (run: (place: StorePlace) => Promise<void>) => Promise<void>

export const inMemory: PlaceMaker = async (run) => {
  const clock = { now: 0 }
  const store = createMemoryStore({ now: () => clock.now })
  await run({ engine: 'memory', clock, open: async () => store })
}

export const inFile: PlaceMaker = async (run) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-store-'))
  try {
    await inLocation({ kind: 'sqlite', path: path.join(folder, 'store.db') })(run)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function inLocation(location: Exclude<StoreLocation, { kind: 'memory' }>): PlaceMaker {
  return async (run) => {
    const clock = { now: 0 }
    const opened: Store[] = []
    const open = async (): Promise<Store> => {
      const store = await openStore(location, { now: () => clock.now })
      opened.push(store)
      return store
    }
    try {
      await run({ engine: location.kind, clock, open })
      const problems = await (await open()).check()
      if (problems.length > 0) throw new Error(`damaged: ${JSON.stringify(problems)}`)
    } finally {
      for (const store of opened) await store.close()
    }
  }
}

export async function runCase(make: PlaceMaker, { run }: ContractCase): Promise<void> {
  await make(run)
}
