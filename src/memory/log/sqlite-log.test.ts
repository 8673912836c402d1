import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgetMatching } from '../forget/forget-matching.ts'
import { Memory } from '../memory.ts'
import { observe } from '../observe.ts'
import { openSqliteLog } from './sqlite-log.ts'

let folder: string
let count = 0
const opened: Memory[] = []

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-log-'))
})

afterEach(() => {
  for (const memory of opened.splice(0)) memory.close()
  rmSync(folder, { recursive: true })
})

function open(): Memory {
  const memory = new Memory({
    log: openSqliteLog(path.join(folder, 'memory.db')),
    now: Date.now,
    newId: (kind) => `${kind}_${++count}`,
  })
  opened.push(memory)
  return memory
}

const bytesWith = (text: string): readonly string[] =>
  readdirSync(folder).filter((file) => readFileSync(path.join(folder, file)).includes(text))

describe('a memory in a file', () => {
  it('decides on what others have written since', () => {
    const [one, two] = [open(), open()]
    const base = { kind: 'preference', category: 'tooling', attribute: 'editor', text: '' } as const
    const first = one.add({ ...base, value: 'Vim' })
    const second = two.add({ ...base, value: 'Emacs' })
    expect(second.supersedes).toEqual([first.id])
    expect(one.state.items.get(first.id)?.replacedBy).toHaveLength(1)
  })

  it('writes nothing of a change that is refused', () => {
    const memory = open()
    const { id } = memory.add({ kind: 'fact', text: 'kept' })
    expect(() => memory.supersede(id, 'nobody')).toThrow('nobody')
    expect([...open().state.items.keys()]).toEqual([id])
  })

  it('leaves no byte of a forgotten text in any of its files, nor in another process’s memory', () => {
    const memory = open()
    const other = open()
    const secret = 'My name is Marmaduke-Xylophone'
    observe(
      memory,
      { id: '1', role: 'user', text: `${secret}. Thanks.` },
      { project: 'p', session: 's' },
    )
    observe(memory, { id: '2', role: 'user', text: 'We use pnpm.' }, { project: 'p', session: 's' })
    expect(other.state.items.size).toBe(2)
    expect(bytesWith('Marmaduke')).not.toEqual([])
    forgetMatching(memory, { search: 'marmaduke' })
    expect(bytesWith('Marmaduke')).toEqual([])
    expect([...other.state.items.values()].map(({ item }) => item.text)).toEqual([
      'package manager: pnpm',
    ])
    expect([...other.state.tombstones.values()].map(({ was }) => was)).toEqual(['fact'])
    expect([...other.state.heard.values()].map(({ text }) => text)).toEqual(['We use pnpm.'])
  })
})
