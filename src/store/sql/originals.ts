import type { Kysely } from 'kysely'
import type { Sealing } from '../sealing.ts'
import type { StoreTables } from '../tables.ts'
import { bytesOf } from '../text-bytes.ts'
import type { KnownOriginal, NewText } from './block-writer.ts'
import { chunksOf } from './rows.ts'
import { rowsOf, type Steps } from './steps.ts'

/** The texts of an addition by their hashes: which of them are stored, and under which id. */
export class Originals {
  readonly #keys: string[] = []
  readonly #texts = new Map<string, NewText>()
  readonly #ids = new Map<string, number>()

  constructor(texts: Iterable<string>, sealing: Sealing) {
    for (const text of texts) {
      const { form, bytes } = bytesOf(text)
      const hash = sealing.hash({ form, bytes })
      const key = hash.toString('latin1')
      this.#keys.push(key)
      if (!this.#texts.has(key))
        this.#texts.set(key, { form, bytes, hash, characters: text.length })
    }
  }

  /** Looks up the texts whose ids are not known yet. */
  *find(db: Kysely<StoreTables>): Steps<void> {
    for (const texts of chunksOf(this.missing())) {
      const hashes = texts.map(({ hash }) => hash)
      this.note(
        yield* rowsOf(
          db.selectFrom('originals').select(['id', 'hash']).where('hash', 'in', hashes),
        ),
      )
    }
  }

  missing(): readonly NewText[] {
    const missing: NewText[] = []
    for (const [key, text] of this.#texts) if (!this.#ids.has(key)) missing.push(text)
    return missing
  }

  note(originals: readonly KnownOriginal[]): void {
    for (const { id, hash } of originals) {
      const { buffer, byteOffset, byteLength } = hash
      this.#ids.set(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'), id)
    }
  }

  /** The id of each text, in order; all of them must be known. */
  ids(): readonly number[] {
    return this.#keys.map((key) => this.#ids.get(key) as number)
  }
}
