import type { Kysely } from 'kysely'
import { setRecent } from '../../core/words/recent.ts'
import { Chain } from '../block.ts'
import type { Extent } from '../store.ts'
import type { StoreTables } from '../tables.ts'
import type { TextBytes } from '../text-bytes.ts'
import type { StoreContext } from './context.ts'
import { chunksOf } from './rows.ts'
import { rowsOf, type Steps } from './steps.ts'

/** An original that is not stored yet. */
export interface NewText extends TextBytes {
  readonly hash: Buffer
  readonly characters: number
}

interface OpenChain {
  readonly chain: Chain
  readonly root: number
  /** The newest block of the chain. The chain continues only while this is also the session's newest block. */
  readonly last: number
}

/** Longer content is split into several blocks. */
const longestBlockBytes = 65_536
const mostOpenChains = 256

/**
 * The open chains of this process, by session. When another process wrote to a session, a new chain starts, so that an
 * append never reads blocks.
 */
export class OpenChains {
  readonly #bySession = new Map<number, OpenChain>()

  of(session: number, lastBlock: number | null): OpenChain | undefined {
    const open = this.#bySession.get(session)
    return open !== undefined && open.last === lastBlock && open.chain.hasRoom ? open : undefined
  }

  /** After a rollback the block is not the session's newest, so the chain ends. */
  keep(session: number, open: OpenChain): void {
    setRecent(this.#bySession, session, open, mostOpenChains)
  }

  drop(session: number): void {
    this.#bySession.delete(session)
  }

  clear(): void {
    this.#bySession.clear()
  }
}

export interface BlockPlan {
  readonly session: number
  readonly texts: readonly NewText[]
  readonly body: string
  readonly before: Extent
  readonly after: Extent
  /** The chain to continue. */
  readonly open?: OpenChain | undefined
}

export interface WrittenBlocks {
  readonly open: OpenChain
  readonly originals: readonly KnownOriginal[]
}

export interface KnownOriginal {
  readonly id: number
  readonly hash: Uint8Array
}

/** Writes texts and body as one block, or as several when they are long. The last one has the body. */
export function* writeBlocks(
  { engine: { db, sealing } }: StoreContext,
  { session, texts, body, before, after, open }: BlockPlan,
): Steps<WrittenBlocks> {
  const groups = inBlocks(texts)
  const bodyBytes = Buffer.from(body, 'utf8')
  const originals: KnownOriginal[] = []
  let current = open
  for (const [at, group] of groups.entries()) {
    const isLast = at === groups.length - 1
    const parts = group.map(({ bytes }) => bytes)
    const content = Buffer.concat(isLast ? [...parts, bodyBytes] : parts)
    const going = current?.chain.hasRoom === true ? current : undefined
    const chain = going?.chain ?? new Chain()
    const [block] = yield* rowsOf(
      db
        .insertInto('blocks')
        .values({
          session,
          chain: going?.root ?? null,
          body_start: isLast ? content.length - bodyBytes.length : content.length,
          ...(isLast ? after : before),
          data: sealing.seal(chain.pack(content)),
        })
        .returning('id'),
    )
    const { id } = block as { readonly id: number }
    current = { chain, root: going?.root ?? id, last: id }
    originals.push(...(yield* insertOriginals(db, id, group)))
  }
  return { open: current as OpenChain, originals }
}

/** Returns the originals that are new; those that another process stored meanwhile are not among them. */
function* insertOriginals(
  db: Kysely<StoreTables>,
  block: number,
  texts: readonly NewText[],
): Steps<readonly KnownOriginal[]> {
  let start = 0
  const rows = texts.map(({ hash, bytes, form, characters }) => {
    const row = { hash, block, start, bytes: bytes.length, form: formNumber[form], characters }
    start += bytes.length
    return row
  })
  // Every process inserts in the same order, so that no two wait for each other.
  rows.sort((one, other) => one.hash.compare(other.hash))
  const inserted: KnownOriginal[] = []
  for (const chunk of chunksOf(rows)) {
    const insert = db
      .insertInto('originals')
      .values(chunk)
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning(['id', 'hash'])
    inserted.push(...(yield* rowsOf(insert)))
  }
  return inserted
}

const formNumber: Readonly<Record<NewText['form'], number>> = { utf8: 0, utf16le: 1 }

/** Groups texts into blocks. At least one group; a text longer than a block gets its own. */
export function inBlocks<Text extends { readonly bytes: Buffer }>(
  texts: readonly Text[],
): readonly (readonly Text[])[] {
  const groups: Text[][] = [[]]
  let length = 0
  for (const text of texts) {
    if (length > 0 && length + text.bytes.length > longestBlockBytes) {
      groups.push([])
      length = 0
    }
    groups.at(-1)?.push(text)
    length += text.bytes.length
  }
  return groups
}
