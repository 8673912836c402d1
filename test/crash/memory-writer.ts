import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { Memory, openSqliteLog } from '../../src/memory/index.ts'
import { factOf, factsOf } from './work.ts'

/** Adds one fact after the other until it is killed, and says on standard output which of them the memory acknowledged. */
async function write(file: string, name: string): Promise<void> {
  const memory = new Memory({
    log: openSqliteLog(file),
    now: Date.now,
    newId: () => randomUUID(),
  })
  for (let count = factsOf(memory, name).length; ; ) {
    await memory.addDurably({ kind: 'fact', text: factOf(name, count) })
    writeSync(1, `${JSON.stringify({ id: name, messages: ++count, ledger: 0, entries: 0 })}\n`)
  }
}

const [location = '', name = ''] = process.argv.slice(2)
await write((JSON.parse(location) as { readonly path: string }).path, name)
