import type { Selectable } from 'kysely'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { Sealing } from '../sealing.ts'
import type { LoadedSession, StoreProblem } from '../store.ts'
import type { OriginalsTable } from '../tables.ts'
import { bytesOf, hashOf } from '../text-bytes.ts'
import { BlockReader } from './block-reader.ts'
import type { StoreEngine } from './context.ts'
import { load, readReceipts } from './load.ts'
import { sessionFrom } from './rows.ts'
import { rowsOf, type Steps } from './steps.ts'

const originalsPerRead = 400

/** All problems: those that the engine finds, wrong hashes, and sessions that cannot be loaded. */
export async function check(engine: StoreEngine): Promise<readonly StoreProblem[]> {
  const problems: StoreProblem[] = [...(await engine.problems())]
  problems.push(...(await brokenOriginals(engine)))
  const sessions = await engine.read(() =>
    rowsOf(engine.db.selectFrom('sessions').selectAll().orderBy('number')),
  )
  for (const row of sessions) {
    const session = sessionFrom(row)
    const where = `session ${session.id}`
    const found = await attempt(async () => {
      const receipts = await readReceipts(engine, session)
      const wrong = misfits(await load(engine, session))
      // Another process may have appended between the two reads, so only fewer messages are a problem.
      return receipts.length < row.receipts ? [...wrong, 'has lost receipts'] : wrong
    })
    if (!PalimpsestError.is(found)) {
      for (const message of found) problems.push({ where, message })
    } else if (found.code !== 'store-absent') problems.push({ where, message: found.message })
  }
  return problems
}

/** Differences between a session's row and its blocks. */
function misfits({ extent, messages, ledger, head }: LoadedSession): readonly string[] {
  const found: string[] = []
  if (messages.length !== extent.messages)
    found.push(`has ${messages.length} of ${extent.messages} messages`)
  if (ledger.length !== extent.entries)
    found.push(`has ${ledger.length} of ${extent.entries} entries in its ledger`)
  if (head !== null && head >= messages.length)
    found.push('ends with a message that does not exist')
  for (const [position, { previous }] of messages.entries()) {
    if (previous !== null && previous >= position)
      found.push(`has message ${position} after message ${previous}`)
  }
  return found
}

async function brokenOriginals(engine: StoreEngine): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = []
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after
    after = await engine.read(() => checkSome(engine, from, problems))
  }
  return problems
}

/** Checks the originals after an id. Returns the last id when there may be more. */
function* checkSome(
  engine: StoreEngine,
  after: number,
  problems: StoreProblem[],
): Steps<number | null> {
  const { db, sealing } = engine
  const query = db.selectFrom('originals').selectAll().where('id', '>', after).orderBy('id')
  const page = yield* rowsOf(query.limit(originalsPerRead))
  const reader = new BlockReader(engine)
  try {
    yield* reader.fetch(page)
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error
    problems.push({ where: 'blocks', message: error.message })
  }
  for (const original of page) {
    const message = faultOf(reader, sealing, original)
    const where = `original ${Buffer.from(original.hash).toString('hex')}`
    if (message !== null) problems.push({ where, message })
  }
  return page.length < originalsPerRead ? null : (page.at(-1)?.id ?? null)
}

function faultOf(
  reader: BlockReader,
  sealing: Sealing,
  original: Selectable<OriginalsTable>,
): string | null {
  try {
    const text = bytesOf(reader.text(original))
    // What was stored before the store got its key has a plain hash.
    const isSame = [sealing.hash(text), hashOf(text)].some((each) => each.equals(original.hash))
    return isSame ? null : 'its text has changed since it was stored'
  } catch (error) {
    if (PalimpsestError.is(error)) return error.message
    throw error
  }
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | PalimpsestError> {
  try {
    return await work()
  } catch (error) {
    if (PalimpsestError.is(error)) return error
    throw error
  }
}
