import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  lines,
  messagesOf,
  only,
  outcomeOf,
  type Told,
  type ToldCall,
  tell,
} from '../../../../test/engine/told-session.ts'
import { fullReadsToKeep, nextCount, readsToKeep } from './first-last.ts'

const settings = only({ files: 'first-last' })

function read(id: string, rest: Partial<ToldCall> = {}): ToldCall {
  return { id, tool: 'read', input: { filePath: 'config.py' }, output: lines(1, 20), ...rest }
}

const reads = (count: number): readonly ToldCall[][] =>
  Array.from({ length: count }, (_, at) => [read(`r${at + 1}`)])

describe('which reads of a file stay in full', () => {
  it('are all of one or two, the ends of three to five, and samples between from six on', () => {
    const kept = [1, 2, 3, 5, 6, 9, 10, 14, 30].map((count) =>
      [...readsToKeep(count, 5)].sort(ascending),
    )
    expect(kept).toEqual([
      [0],
      [0, 1],
      [0, 2],
      [0, 4],
      [0, 3, 5],
      [0, 4, 8],
      [0, 3, 6, 9],
      [0, 4, 7, 10, 13],
      [0, 8, 15, 22, 29],
    ])
  })

  it('are never more than the limit, the ends aside', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 0, max: 9 }),
        (count, limit) => {
          const kept = readsToKeep(count, limit)
          expect(kept.size).toBeLessThanOrEqual(Math.max(2, Math.min(5, limit)))
          expect(kept.has(0) && kept.has(count - 1)).toBe(true)
        },
      ),
    )
  })
})

const ascending = (a: number, b: number): number => a - b

/** The reads that are full after each of so many reads, as positions from 0. */
function fullAfterEach(count: number, maximum: number): readonly (readonly number[])[] {
  const after: (readonly number[])[] = []
  let full: readonly number[] = []
  for (let reads = 1; reads <= count; reads++) {
    const kept = fullReadsToKeep([...full, reads - 1], reads, maximum)
    full = [...full, reads - 1].filter((position) => kept.has(position))
    after.push(full)
  }
  return after
}

describe('which reads are full after every read, when a pointer never becomes full again', () => {
  it('are all that the formula names, for as long as that is possible', () => {
    const missing = fullAfterEach(7, 5).map((full, at) =>
      [...readsToKeep(at + 1, 5)].filter((position) => !full.includes(position)),
    )
    expect(missing).toEqual(Array.from({ length: 7 }, () => []))
  })

  it('are from then on as many as the formula names, near its places, and never above the limit', () => {
    fullAfterEach(30, 5).forEach((full, at) => {
      const named = [...readsToKeep(at + 1, 5)].sort(ascending)
      expect(full.length).toBeGreaterThanOrEqual(named.length)
      expect(full.length).toBeLessThanOrEqual(5)
      expect([full[0], full.at(-1)]).toEqual([0, at])
      for (const position of named) {
        const distance = Math.min(...full.map((each) => Math.abs(each - position)))
        expect(distance).toBeLessThanOrEqual(at / 4)
      }
    })
  })

  it('are exact for any number of reads where the limit leaves room for those to come', () => {
    fullAfterEach(60, 60).forEach((full, at) => {
      const named = [...readsToKeep(at + 1, 60)]
      expect([at + 1, named.filter((position) => !full.includes(position))]).toEqual([at + 1, []])
    })
  })

  it('are kept waiting only when a later number of reads names them', () => {
    for (let count = 2; count <= 60; count++) {
      for (let position = 1; position < count - 1; position++) {
        let next = count + 1
        while (next < 300 && !readsToKeep(next, 5).has(position)) next++
        expect(nextCount(position, count)).toBe(next < 300 ? next : Infinity)
      }
    }
  })

  it('cannot be exact for eight when the fifth of six is a pointer, as documented', () => {
    expect([readsToKeep(6, 5).has(4), readsToKeep(8, 5).has(4)]).toEqual([false, true])
  })

  it('never grow but by the newest, whatever the limit', () => {
    for (const maximum of [2, 3, 5, 8, 20]) {
      const after = fullAfterEach(60, maximum)
      after.forEach((full, at) => {
        expect(full.length).toBeLessThanOrEqual(Math.max(2, maximum))
        const before = after[at - 1] ?? []
        expect(full.filter((position) => position !== at && !before.includes(position))).toEqual([])
      })
    }
  })

  it('are the documented ones of three, four and six', () => {
    const after = fullAfterEach(6, 5)
    expect([after[2], after[3]]).toEqual([
      [0, 2],
      [0, 3],
    ])
    expect(after[5]).toEqual([0, 3, 5])
  })
})

describe('the policy first-last', () => {
  it('keeps one or two reads', () => {
    expect(tell(reads(2), settings).results).toEqual({})
  })

  it('points from the middle to the first', () => {
    expect(tell(reads(4), settings).results).toEqual({
      r2: 'pointer file r1',
      r3: 'pointer file r1',
    })
  })

  it('writes the documented pointer, with the handle', () => {
    const [decision] = tell(reads(3), settings).decisions
    expect(decision?.rendition.text).toBe(
      `[Re-read of config.py - see earlier read for content] [context_restore ${decision?.handle}]`,
    )
  })

  it('keeps the samples between reads that become old together, however many, and those of one more', () => {
    for (let count = 1; count <= 60; count++) {
      const idle = Array.from({ length: count + 1 }, () => [])
      const told = tell([...reads(count), ...idle], { ...settings, turnProtection: count })
      const pointers = new Set(Object.keys(told.results))
      const full = [...Array(count).keys()].filter((at) => !pointers.has(`r${at + 1}`))
      const [named, next] = [readsToKeep(count, 5), readsToKeep(count + 1, 5)]
      expect([...named].filter((at) => !full.includes(at))).toEqual([])
      expect(full.filter((at) => !named.has(at) && !next.has(at))).toEqual([])
    }
  })

  it('keeps the samples between many reads that become old together', () => {
    const late = tell([...reads(6), ...Array.from({ length: 9 }, () => [])], {
      ...settings,
      turnProtection: 8,
    })
    expect(late.results).toEqual({
      r2: 'pointer file r1',
      r3: 'pointer file r1',
      r5: 'pointer file r1',
    })
  })

  it('never makes a pointer full again', () => {
    let pointers: readonly string[] = []
    for (let count = 1; count <= 60; count++) {
      const now = Object.keys(tell(reads(count), settings).results)
      expect(now).toEqual(expect.arrayContaining([...pointers]))
      pointers = now
    }
    expect(pointers.length).toBeGreaterThan(50)
  })

  it('keeps every sample of reads that come one by one where the limit leaves room', () => {
    const roomy = { ...settings, history: { ...settings.history, maxFileReads: 60 } }
    for (let count = 1; count <= 60; count++) {
      const pointers = Object.keys(tell(reads(count), roomy).results)
      const samples = [...readsToKeep(count, 60)].map((at) => `r${at + 1}`)
      expect(pointers.filter((id) => samples.includes(id))).toEqual([])
    }
  })

  it('keeps the fourth of six reads that come one by one', () => {
    const after = [4, 5, 6, 7].map((count) => Object.keys(tell(reads(count), settings).results))
    expect(after).toEqual([
      ['r2', 'r3'],
      ['r2', 'r3'],
      ['r2', 'r3', 'r5'],
      ['r2', 'r3', 'r5', 'r6'],
    ])
  })

  it('keeps lines that neither the first nor the last read shows', () => {
    const part = (id: string, offset: number): ToldCall =>
      read(id, {
        input: { filePath: 'config.py', offset, limit: 10 },
        output: lines(offset, offset + 9),
      })
    const turns = [[part('a', 1)], [part('b', 50)], [part('c', 1)], [part('d', 100)]]
    expect(tell(turns, settings).results).toEqual({ c: 'pointer file a' })
  })

  it('counts no failed read, and no read of another file', () => {
    const turns = [
      [read('a')],
      [read('b', { status: 'error' })],
      [read('c', { input: { filePath: 'other.py' } })],
      [read('d')],
    ]
    expect(tell(turns, settings).results).toEqual({})
  })

  it('never points from one parallel read to another', () => {
    expect(tell([[read('a'), read('b'), read('c')]], settings).results).toEqual({})
    expect(tell([[read('a'), read('b')], [read('c')]], settings).results).toEqual({
      b: 'pointer file c',
    })
  })

  it('always keeps edits', () => {
    const edit = (id: string): ToldCall =>
      read(id, {
        tool: 'edit',
        input: { filePath: 'config.py', oldString: 'a', newString: 'b', intent: 'Rename' },
      })
    const turns = [[read('a')], [edit('b')], [edit('c')], [edit('d')], [read('e')]]
    const { results, inputs } = tell(turns, { ...settings, pruneToolInputs: true })
    expect([results, inputs]).toEqual([{}, {}])
  })

  it('counts from the first read that the agent has not cleared', () => {
    const turns = [[read('a', { output: '[Old tool result content cleared]' })], ...reads(3)]
    expect(tell(turns, settings).results).toEqual({ r2: 'pointer file r1' })
  })

  it('leaves protected files and protected turns alone', () => {
    const protection = { tool: () => false, file: (path: string) => path === 'config.py' }
    expect(tell(reads(4), settings, { protection }).results).toEqual({})
    expect(tell(reads(4), { ...settings, turnProtection: 4 }).results).toEqual({})
  })
})

describe('a read that waits for an epoch to become a pointer', () => {
  it('stays when what it would point to was discarded meanwhile', () => {
    const waiting = only({ files: 'first-last', schedule: 'on-demand' })
    const prune = { id: 'p', tool: 'context_prune', input: { action: 'discard' }, output: 'ok' }
    const session = [...reads(3), [prune]]
    const shownAfter = (discarded: string | null): Told['results'] => {
      const { engine } = tell(session.slice(0, 3), waiting)
      const item = engine.record.items.find((each) => {
        return each.kind === 'result' && each.call === discarded
      })
      const rendition = { how: 'discarded', text: '[gone]' } as const
      if (item !== undefined) engine.ask(item.handle, { rendition, reason: 'user', strategy: '' })
      engine.request(messagesOf(session))
      return outcomeOf(engine).results
    }
    expect(shownAfter(null)).toEqual({ r2: 'pointer file r1' })
    expect(shownAfter('r1')).toEqual({ r1: 'discarded user -' })
  })
})
