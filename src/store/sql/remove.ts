import { sql } from 'kysely'
import { addToList } from '../../core/words/lists.ts'
import { Chain } from '../block.ts'
import { bytesOf } from '../text-bytes.ts'
import { BlockReader, type Slice } from './block-reader.ts'
import { inBlocks } from './block-writer.ts'
import type { StoreContext } from './context.ts'
import { chunksOf } from './rows.ts'
import { rowsOf, type Steps } from './steps.ts'

interface SharedOriginal extends Slice {
  readonly id: number
  /** Another session with the same text, which gets it. */
  readonly user: number
}

/**
 * Removes a session and its unshared originals, and returns their count. Shared texts move to blocks of other sessions.
 * Call it under the exclusive originals lock.
 */
export function* removeSession(context: StoreContext, session: number): Steps<number> {
  const { db } = context.engine
  yield* rowsOf(db.deleteFrom('items').where('session', '=', session))
  const removed = yield* removeUnused(context, session)
  yield* moveShared(context, session)
  yield* rowsOf(db.deleteFrom('blocks').where('session', '=', session))
  yield* rowsOf(db.deleteFrom('sessions').where('number', '=', session))
  return removed
}

/** Originals in a session's blocks that no item uses. */
function* removeUnused({ engine: { db } }: StoreContext, session: number): Steps<number> {
  const unused = yield* rowsOf(
    db
      .selectFrom('originals')
      .innerJoin('blocks', 'blocks.id', 'originals.block')
      .select('originals.id')
      .where('blocks.session', '=', session)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('items')
              .select(sql`1`.as('one'))
              .whereRef('items.original', '=', 'originals.id'),
          ),
        ),
      ),
  )
  for (const rows of chunksOf(unused)) {
    const ids = rows.map(({ id }) => id)
    yield* rowsOf(db.deleteFrom('originals').where('id', 'in', ids))
  }
  return unused.length
}

function* moveShared(context: StoreContext, session: number): Steps<void> {
  const { engine } = context
  const { db } = engine
  const shared = yield* rowsOf(
    db
      .selectFrom('originals')
      .innerJoin('blocks', 'blocks.id', 'originals.block')
      .innerJoin('items', 'items.original', 'originals.id')
      .select(['originals.id', 'originals.block', 'originals.start', 'originals.bytes'])
      .select(({ fn }) => ['originals.form', fn.min('items.session').as('user')])
      .where('blocks.session', '=', session)
      .groupBy('originals.id')
      .orderBy('originals.id'),
  )
  const reader = new BlockReader(engine)
  yield* reader.fetch(shared)
  const byUser = new Map<number, SharedOriginal[]>()
  for (const original of shared) addToList(byUser, original.user, original)
  for (const [user, originals] of byUser) yield* moveTo(context, user, originals, reader)
}

function* moveTo(
  { engine: { db, sealing } }: StoreContext,
  user: number,
  originals: readonly SharedOriginal[],
  reader: BlockReader,
): Steps<void> {
  const texts = originals.map((original) => ({
    id: original.id,
    bytes: bytesOf(reader.text(original)).bytes,
  }))
  for (const group of inBlocks(texts)) {
    const content = Buffer.concat(group.map(({ bytes }) => bytes))
    const [block] = yield* rowsOf(
      db
        .insertInto('blocks')
        .values({
          session: user,
          chain: null,
          body_start: content.length,
          // It adds no messages or entries.
          messages: 0,
          ledger: 0,
          entries: 0,
          data: sealing.seal(new Chain().pack(content)),
        })
        .returning('id'),
    )
    const { id } = block as { readonly id: number }
    let start = 0
    for (const text of group) {
      yield* rowsOf(db.updateTable('originals').set({ block: id, start }).where('id', '=', text.id))
      start += text.bytes.length
    }
    // A process with an open chain of that session must not continue it after this block.
    yield* rowsOf(db.updateTable('sessions').set({ last_block: id }).where('number', '=', user))
  }
}
