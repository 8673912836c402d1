import type { Compilable } from 'kysely'
import { PalimpsestError } from '../../core/words/errors.ts'
import { finish, type Work } from '../../core/words/work.ts'
import { Chain } from '../block.ts'
import type { StoreEngine } from './context.ts'
import { chunksOf } from './rows.ts'
import { rowsOf, type Steps } from './steps.ts'

/** Where a text is stored. */
export interface Slice {
  readonly block: number
  readonly start: number
  readonly bytes: number
  readonly form: number
}

export interface StoredBlock {
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
  readonly #engine: Pick<StoreEngine, 'db' | 'sealing'>
  readonly #contents = new Map<number, Buffer>()
  /** Blocks that were read and not unpacked yet. */
  #packed: StoredBlock[] = []

  constructor(engine: Pick<StoreEngine, 'db' | 'sealing'>) {
    this.#engine = engine
  }

  /** Unpacks blocks of one session, in order, from the first of a chain. Returns their contents. */
  take(blocks: readonly StoredBlock[]): readonly Buffer[] {
    this.hold(blocks)
    finish(this.unpack())
    return blocks.map((block) => this.content(block))
  }

  /** Keeps blocks of one session, in order, from the first of a chain, until `unpack`. */
  hold(blocks: readonly StoredBlock[]): void {
    for (const block of blocks) this.#packed.push(block)
  }

  /** Unpacks what is held, a block at a time. */
  *unpack(): Work<void> {
    const packed = this.#packed
    this.#packed = []
    let chain = new Chain()
    for (const { id, chain: root, data } of packed) {
      if (root === null) chain = new Chain()
      this.#contents.set(id, chain.unpack(this.#engine.sealing.open(data)))
      yield
    }
  }

  content({ id }: Pick<StoredBlock, 'id'>): Buffer {
    return this.#contents.get(id) ?? Buffer.alloc(0)
  }

  /** Reads and unpacks the blocks of the slices that were not read yet. */
  *fetch(slices: readonly Slice[]): Steps<void> {
    yield* this.read(slices)
    finish(this.unpack())
  }

  /** Reads the blocks of the slices that were not read yet, and holds them. */
  *read(slices: readonly Slice[]): Steps<void> {
    const known = new Set([...this.#contents.keys(), ...this.#packed.map(({ id }) => id)])
    const missing = new Set<number>()
    for (const { block } of slices) if (!known.has(block)) missing.add(block)
    const chains = new Map<number, Wanted>()
    for (const ids of chunksOf([...missing])) {
      const places = yield* rowsOf(
        this.#engine.db
          .selectFrom('blocks')
          .select(['id', 'session', 'chain'])
          .where('id', 'in', ids),
      )
      for (const { id, session, chain } of places) {
        const first = chain ?? id
        const known = chains.get(first)
        if (known === undefined) chains.set(first, { session, first, last: id })
        else known.last = Math.max(known.last, id)
      }
    }
    for (const wanted of chains.values()) this.hold(yield* rowsOf(this.#chain(wanted)))
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
    return this.#engine.db
      .selectFrom('blocks')
      .select(['id', 'chain', 'data'])
      .where('session', '=', session)
      .where('id', '>=', first)
      .where('id', '<=', last)
      .orderBy('id')
  }
}
