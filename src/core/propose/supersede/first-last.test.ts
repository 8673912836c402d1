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
import { readsToKeep } from './first-last.ts'

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
      [0, 3, 7, 9],
      [0, 3, 7, 11, 13],
      [0, 5, 15, 24, 29],
    ])
  })

  it('are never more than the limit, the ends aside', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 0, max: 9 }),
        (count, limit) => {
          const kept = readsToKeep(count, limit)
          expect(kept.size).toBeLessThanOrEqual(Math.max(2, limit))
          expect(kept.has(0) && kept.has(count - 1)).toBe(true)
        },
      ),
    )
  })
})

const ascending = (a: number, b: number): number => a - b
const read6 = [read('r6')]

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

  it('keeps exactly the samples, however many reads there are and however they come', () => {
    for (const maximum of [5, 8, 60]) {
      const own = { ...settings, history: { ...settings.history, maxFileReads: maximum } }
      for (const count of [5, 6, 7, 8, 12, 20, 60]) {
        const idle = Array.from({ length: count + 1 }, () => [])
        const together = tell([...reads(count), ...idle], { ...own, turnProtection: count })
        for (const told of [together, tell(reads(count), own)]) {
          const full = [...Array(count).keys()].filter((at) => !(`r${at + 1}` in told.results))
          expect(full).toEqual([...readsToKeep(count, maximum)].sort(ascending))
        }
      }
    }
  })

  it('keeps the nearest full read where what was sent may not change', () => {
    const waiting = { ...settings, schedule: 'on-demand' } as const
    const prune = { id: 'p', tool: 'context_prune', input: { action: 'discard' }, output: 'ok' }
    const told = tell([...reads(5), [prune], read6], waiting)
    expect(Object.keys(told.results)).toEqual(['r2', 'r3', 'r4'])
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

  it('keeps the fourth of six reads that come one by one, and only the ends of five', () => {
    const after = [4, 5, 6, 7].map((count) => Object.keys(tell(reads(count), settings).results))
    expect(after).toEqual([
      ['r2', 'r3'],
      ['r2', 'r3', 'r4'],
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
