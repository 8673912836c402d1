import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Memory, observe, openSqliteLog } from '../../src/memory/index.ts'
import { createListener, hearTurn } from '../../src/memory/listen/listener.ts'
import { createInMemoryLog, type MemoryLog } from '../../src/memory/log/memory-log.ts'
import { loadSqlite } from '../../src/store/sqlite/driver.ts'

function openMemory(log: MemoryLog): Memory {
  let names = 0
  return new Memory({
    log,
    now: Date.now,
    newId: (kind) => `${kind}_${process.hrtime.bigint()}_${++names}`,
  })
}

const place = { project: 'shop', session: 's' } as const
const said = (id: string, text: string) => ({ id, role: 'user', text }) as const

/** The longest time that other work had to wait, in milliseconds. */
async function longestWait(work: Promise<void>): Promise<number> {
  let isDone = false
  let longest = 0
  void work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const start = performance.now()
    await setTimeout(1)
    longest = Math.max(longest, performance.now() - start - 1)
  }
  return longest
}

describe('a large memory', () => {
  it('never holds up other work while a turn is read', async () => {
    const memory = openMemory(createInMemoryLog())
    memory.write(({ item, at }) => ({
      events: Array.from({ length: 10_000 }, (_, n) => ({
        kind: 'added' as const,
        at,
        item: item({
          kind: 'fact',
          text: `The ${n} service of team ${n % 97} listens on port ${3_000 + n} behind Nginx`,
          scope: 'project:shop',
        }),
      })),
      result: undefined,
    }))
    const lines: string[] = []
    const listener = createListener({
      use: (work) => work(memory),
      onChange: (line) => lines.push(line),
      onFault: (fault) => {
        throw fault
      },
    })
    const waits: number[] = []
    for (const [n, text] of [
      'We use npm here.',
      'not npm, use pnpm',
      'the tests are red',
    ].entries()) {
      listener.hear([said(String(n), text)], place)
      waits.push(await longestWait(listener.settle()))
    }
    expect(lines).toHaveLength(2)
    // Reading the whole memory in one piece takes more than a second.
    expect(Math.max(...waits)).toBeLessThan(600)
  })
})

describe('a memory that another process is writing to', () => {
  it('reads the turn when the other has finished, and blocks nothing until then', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-busy-'))
    const file = path.join(folder, 'memory.db')
    const memory = openMemory(openSqliteLog(file))
    const other = loadSqlite()(file)
    try {
      other.exec('begin immediate')
      const lines: string[] = []
      const faults: unknown[] = []
      const listener = createListener({
        use: (work) => work(memory),
        onChange: (line) => lines.push(line),
        onFault: (fault) => faults.push(fault),
      })
      listener.hear([said('1', 'We use pnpm here.')], place)
      const freed = setTimeout(2_500).then(() => {
        expect(lines).toEqual([])
        other.exec('commit')
      })
      const both = Promise.all([listener.settle(), freed]).then(() => {})
      expect(await longestWait(both)).toBeLessThan(1_200)
      expect(faults).toEqual([])
      expect(lines).toHaveLength(1)
    } finally {
      other.close()
      memory.close()
      rmSync(folder, { recursive: true })
    }
  })

  it('reads a turn with the next request when the store failed', async () => {
    const memory = openMemory(createInMemoryLog())
    let isBroken = true
    const faults: unknown[] = []
    const listener = createListener({
      async use(work) {
        if (isBroken) throw new Error('no store')
        return work(memory)
      },
      onFault: (fault) => faults.push(fault),
    })
    const turn = said('1', 'We use pnpm here.')
    listener.hear([turn], place)
    await listener.settle()
    isBroken = false
    listener.hear([turn], place)
    await listener.settle()
    expect(faults).toHaveLength(1)
    expect(memory.state.items.size).toBe(1)
  })
})

describe('a process that is killed while it reads a turn', () => {
  /** A log of a process that dies at its nth write: before it is decided, or before it is stored. */
  function dyingAt(log: MemoryLog, nth: number, isDecided: boolean): MemoryLog {
    let writes = 0
    return {
      ...log,
      append(known, decide) {
        if (++writes !== nth) return log.append(known, decide)
        if (isDecided) decide(log.read(known))
        throw new Error('killed')
      },
    }
  }

  const text = 'We use Go for the backend. Our package manager is pnpm now. We deploy to Fly.io.'
  const contents = (memory: Memory): readonly string[] =>
    [...memory.state.items.values()].map(({ item, replacedBy, reinforcements }) =>
      [item.text, replacedBy.length, reinforcements.length].join(' '),
    )

  it.each([1, 2, 3, 4, 5].flatMap((nth) => [true, false].map((isDecided) => ({ nth, isDecided }))))(
    'loses nothing and writes nothing twice: %o',
    ({ nth, isDecided }) => {
      const whole = openMemory(createInMemoryLog())
      const log = createInMemoryLog()
      for (const memory of [whole, openMemory(log)])
        observe(memory, said('0', 'We use npm here.'), place)
      hearTurn(whole, said('1', text), place)
      expect(contents(whole)).toHaveLength(4)

      const killed = openMemory(dyingAt(log, nth, isDecided))
      try {
        hearTurn(killed, said('1', text), place)
      } catch (error) {
        expect(error).toEqual(new Error('killed'))
      }
      const restarted = openMemory(log)
      for (const memory of [restarted, killed, restarted]) hearTurn(memory, said('1', text), place)
      for (const memory of [restarted, killed, openMemory(log)])
        expect(contents(memory)).toEqual(contents(whole))
      expect(restarted.state.heard.size).toBe(2)
    },
  )
})
