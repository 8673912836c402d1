import { writeSync } from 'node:fs'
import { PalimpsestError } from '../../src/core/words/errors.ts'
import {
  createSessionWriter,
  openStore,
  type Store,
  type StoreLocation,
} from '../../src/store/index.ts'
import { historyOf, resumedEngine } from './scripted-session.ts'

/** A session is long enough after this many turns; the writer goes on with another one. */
const mostTurns = 40

/** Takes a session further, turn by turn, and says on standard output what the store has acknowledged. */
async function write(store: Store, id: string, turns: number): Promise<'open' | 'full'> {
  const loaded = await store.load(await store.openSession({ id, origin: 'test' }))
  const engine = resumedEngine(loaded)
  const writer = createSessionWriter(store, loaded)
  const known = Math.floor(loaded.messages.length / 2)
  const end = Math.min(mostTurns, known + turns)
  for (let turn = known; turn < end; turn++) {
    const history = historyOf(id, turn + 1)
    const request = engine.request(history)
    if (request.fault !== null) throw request.fault
    writer.note(engine, request, { statistics: { turns: 1 }, receipts: [{ turn }] })
    const outcome = await writer.flush()
    // Somebody else was first: the next round reads what it wrote.
    if (outcome.kind !== 'done') return 'open'
    writeSync(1, `${JSON.stringify({ id, ...outcome.extent })}\n`)
  }
  return end === mostTurns ? 'full' : 'open'
}

async function main(location: StoreLocation, name: string): Promise<void> {
  const store = await openStore(location)
  const places = [
    { prefix: `own-${name}`, number: 0 },
    { prefix: 'shared', number: 0 },
  ]
  for (;;) {
    for (const place of places) {
      try {
        const outcome = await write(store, `${place.prefix}-${place.number}`, 3)
        if (outcome === 'full') place.number++
      } catch (error) {
        // A machine under load may keep a writer waiting for longer than it waits.
        if (!PalimpsestError.is(error) || error.code !== 'store-locked') throw error
      }
    }
  }
}

const [location = '', name = ''] = process.argv.slice(2)
await main(JSON.parse(location) as StoreLocation, name)
