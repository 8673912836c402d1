import { createReadStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Engine } from '../../src/core/engine.ts'
import { createRecord } from '../../src/core/record/record.ts'
import { readRecording } from '../../src/recordings/read-recording.ts'
import type { Recording } from '../../src/recordings/recording.ts'
import { sessionFor } from '../../src/replay/recorded-session.ts'
import { replay } from '../../src/replay/replay.ts'
import { historiesOf, openStore, type Store } from '../../src/store/index.ts'
import { corpusFolder, describeCorpus, manifestRows } from '../corpus/corpus.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-corpus-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const filesPerFormat = 2

/** The smallest recordings of each format; `npm run bench:store` takes all of them. */
function smallest(): readonly string[] {
  const formats = manifestRows().length === 0 ? [] : readdirSync(corpusFolder)
  return formats.flatMap((format) => {
    const where = path.join(corpusFolder, format)
    if (!statSync(where).isDirectory()) return []
    const files = readdirSync(where).map((name) => path.join(where, name))
    const sized = files.map((file) => ({ file, size: statSync(file).size }))
    sized.sort((one, other) => one.size - other.size)
    return sized.slice(0, filesPerFormat).map(({ file }) => file)
  })
}

/** Runs a session beside a store, written request by request. */
async function keep(
  store: Store,
  id: string,
  recording: Recording,
): Promise<{ readonly engine: Engine; readonly noted: number }> {
  const loaded = await store.load(await store.openSession({ id, origin: 'test' }))
  const config = { toolMappings: [], warnings: [] }
  const session = sessionFor(recording, { config, stored: { store, loaded } })
  const { engine } = session
  let noted = 0
  for (const step of replay(recording, session)) {
    if (step.kind === 'items') continue
    noted = engine.record.messages.length
    expect((await session.commit()).kind).toBe('done')
  }
  return { engine, noted }
}

describeCorpus('recorded sessions in a store', () => {
  it('are there again item by item, ledger by ledger, and original by original', async () => {
    const store = await openStore({ kind: 'sqlite', path: path.join(folder, 'corpus.db') })
    let sessions = 0
    for (const file of smallest()) {
      const { recordings } = await readRecording(createReadStream(file))
      for (const [at, recording] of recordings.entries()) {
        const id = `${path.basename(file)} ${at}`
        const { engine, noted } = await keep(store, id, recording)
        const loaded = await store.load(await store.openSession({ id, origin: 'test' }))
        const rebuilt = createRecord()
        for (const history of historiesOf(loaded)) rebuilt.append(history)
        expect(rebuilt.items).toEqual(engine.record.items.slice(0, rebuilt.items.length))
        expect([loaded.messages.length, rebuilt.messages.length]).toEqual([noted, noted])
        expect(loaded.ledger).toEqual(JSON.parse(JSON.stringify(engine.ledger.entries)))
        for (const { handle, text } of rebuilt.items.filter((_, index) => index % 50 === 0)) {
          const found = await store.original(handle, loaded.session)
          expect(found.kind === 'found' && found.text).toBe(text)
        }
        sessions++
      }
    }
    expect(sessions).toBeGreaterThan(5)
    expect(await store.check()).toEqual([])
    await store.close()
  }, 300_000)
})
