import type { Compilable, Kysely } from 'kysely'
import { PalimpsestError } from '../../core/words/errors.ts'
import { Chain } from '../block.ts'
import type { StoreTables } from '../tables.ts'
import { chunksOf } from './rows.ts'
import { rowsOf, type Steps } from './steps.ts'

/** Where a text is stored. */
export interface Slice {
  readonly block: number
  readonly start: number
  readonly bytes: number
  readonly form: number
}

interface StoredBlock {
  readonly id: number
  readonly chain: number | null
  readonly data: Uint8Array
}

interface Wanted {
  readonly session: number
  /** The blocks of a chain from its first to the last one needed. */
  readonly first: number
  last: number
}

/** Reads blocks and keeps their contents during one operation. */
export class BlockReader {
  readonly #db: Kysely<StoreTables>
  readonly #contents = new Map<number, Buffer>()

  constructor(db: Kysely<StoreTables>) {
    this.#db = db
  }

  /** Unpacks blocks of one session, in order, from the first of a chain. Returns their contents. */
  take(blocks: readonly StoredBlock[]): readonly Buffer[] {
    let chain = new Chain()
    return blocks.map(({ id, chain: root, data }) => {
      if (root === null) chain = new Chain()
      const content = chain.unpack(data)
      this.#contents.set(id, content)
      return content
    })
  }

  /** Reads the blocks of the slices that were not read yet. */
  *fetch(slices: readonly Slice[]): Steps<void> {
    const missing = new Set<number>()
    for (const { block } of slices) if (!this.#contents.has(block)) missing.add(block)
    const chains = new Map<number, Wanted>()
    for (const ids of chunksOf([...missing])) {
      const places = yield* rowsOf(
        this.#db.selectFrom('blocks').select(['id', 'session', 'chain']).where('id', 'in', ids),
      )
      for (const { id, session, chain } of places) {
        const first = chain ?? id
        const known = chains.get(first)
        if (known === undefined) chains.set(first, { session, first, last: id })
        else known.last = Math.max(known.last, id)
      }
    }
    for (const wanted of chains.values()) this.take(yield* rowsOf(this.#chain(wanted)))
  }

  /** The text of a slice whose block was read. */
  text({ block, start, bytes, form }: Slice): string {
    const content = this.#contents.get(block)
    if (content === undefined || start + bytes > content.length) {
      throw new PalimpsestError('store-corrupt', `block ${block} is shorter than the texts in it`)
    }
    return content.toString(form === 0 ? 'utf8' : 'utf16le', start, start + bytes)
  }

  #chain({ session, first, last }: Wanted): Compilable<StoredBlock> {
    return this.#db
      .selectFrom('blocks')
      .select(['id', 'chain', 'data'])
      .where('session', '=', session)
      .where('id', '>=', first)
      .where('id', '<=', last)
      .orderBy('id')
  }
}
