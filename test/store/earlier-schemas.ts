import { hash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { StoredMessage } from '../../src/store/index.ts'
import type { SqlEngine } from '../../src/store/sql/engine.ts'
import { entry, say } from './told.ts'

const texts = ['hello', 'what a store of long ago held, '.repeat(20)] as const

/** What the store of schema 1 holds, as it must be read for ever. */
export const version1Content: {
  readonly messages: readonly StoredMessage[]
  readonly ledger: readonly ReturnType<typeof entry>[]
} = {
  messages: [
    { previous: null, draft: say(texts[0]), handles: ['aaaaaa'] },
    { previous: 0, draft: say(texts[1]), handles: ['bbbbbb'] },
  ],
  ledger: [entry(0), entry(1)],
}

/** Writes it by hand, byte for byte, so that code of today cannot change what it wrote then. */
export async function fillVersion1<Tables>(engine: SqlEngine<Tables>): Promise<void> {
  const sign = (at: number): string => (engine.name === 'sqlite' ? '?' : `$${at}`)
  const table = (name: string): string => (engine.name === 'sqlite' ? name : `palimpsest.${name}`)
  const insert = (name: string, row: Readonly<Record<string, unknown>>) => {
    const columns = Object.keys(row)
    const signs = columns.map((_, at) => sign(at + 1))
    const sql = `insert into ${table(name)} (${columns}) values (${signs})`
    return { sql, parameters: Object.values(row) }
  }
  const body = JSON.stringify({
    messages: [
      { previous: null, draft: { role: 'user', items: [{ kind: 'text' }] } },
      { previous: 0, draft: { role: 'user', items: [{ kind: 'text' }] } },
    ],
    entries: version1Content.ledger,
    receipts: [],
  })
  const content = Buffer.from(texts.join('') + body)
  const data = Buffer.concat([Buffer.of(1), deflateRawSync(content)])
  await engine.write(function* () {
    yield insert('sessions', {
      id: 'early',
      credential: '',
      origin: 'test',
      created_at: 1000,
      used_at: 2000,
      messages: 2,
      ledger: 0,
      entries: 2,
    })
    yield insert('blocks', {
      session: 1,
      chain: null,
      body_start: content.length - Buffer.byteLength(body),
      messages: 2,
      ledger: 0,
      entries: 2,
      data,
    })
    for (const [at, text] of texts.entries()) {
      yield insert('originals', {
        hash: hash('sha256', text, 'buffer').subarray(0, 20),
        block: 1,
        start: at === 0 ? 0 : texts[0].length,
        bytes: text.length,
        form: 0,
        characters: text.length,
      })
      const handle = version1Content.messages[at]?.handles[0]
      yield insert('items', { session: 1, message: at, ordinal: 0, handle, original: at + 1 })
    }
  })
}
