import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessTable } from '../../src/gateway/access-table.ts'
import { memoryOperations } from '../../src/memory/operations/index.ts'
import { runMemoryCommand } from './run-memory-command.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest operations '))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the table of memory operations', () => {
  it('has exactly the memory tools of the access table', () => {
    const tools = accessTable.flatMap(({ name }) => (name.startsWith('memory_') ? [name] : []))
    // `memory observe` reads standard input, so its command and its tool are made apart.
    const made = [...memoryOperations.map(({ name }) => `memory_${name}`), 'memory_observe']
    expect(made.toSorted()).toEqual(tools.toSorted())
  })

  it('asks a person before every operation that removes something, and before no other', () => {
    const asking = accessTable.flatMap(({ name, needsPerson }) => (needsPerson ? [name] : []))
    const removing = memoryOperations.filter(({ effect }) => effect === 'removes')
    expect(removing.map(({ name }) => `memory_${name}`).toSorted()).toEqual(asking.toSorted())
  })

  it.each(memoryOperations.filter(({ effect, name }) => effect === 'reads' && name !== 'export'))(
    'makes no store for a command that only reads: $name',
    async ({ name, command: { arguments: words = [] } }) => {
      const store = path.join(folder, name, 'store.db')
      const given = words.map(() => 'x')
      const run = runMemoryCommand({ folder, now: Date.now }, [name, ...given, '--store', store])
      await run.catch((error: unknown) => expect(error).toMatchObject({ code: 'absent' }))
      expect(() => rmSync(path.dirname(store))).toThrow('ENOENT')
    },
  )
})
