import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operation } from '../../../../test/core/observed-operation.ts'
import { createFileTracker } from '../index.ts'
import { alignLines } from './align-lines.ts'
import { allLines, type Line, lineAt, lineList, linesBetween, spliceLines } from './line-list.ts'

let ids = 0
const lines = (count: number): Line[] =>
  Array.from({ length: count }, () => ({ id: ids++, text: `${ids}`, stamp: 1, written: 0 }))

describe('a list of lines', () => {
  it('is spliced as an array is', () => {
    const splice = fc.record({ start: fc.nat(999), removed: fc.nat(300), added: fc.nat(300) })
    fc.assert(
      fc.property(fc.nat(999), fc.array(splice, { maxLength: 12 }), (size, splices) => {
        const array = lines(size)
        let list = lineList(array)
        for (const { start, removed, added } of splices) {
          const at = Math.min(start, array.length)
          const gone = Math.min(removed, array.length - at)
          const fresh = lines(added)
          array.splice(at, gone, ...fresh)
          list = spliceLines(list, at, gone, fresh)
        }
        expect(allLines(list)).toEqual(array)
        expect(list.length).toBe(array.length)
        expect(lineAt(list, 5)).toBe(array[5])
        expect(linesBetween(list, 100, 200)).toEqual(array.slice(100, 200))
      }),
      { numRuns: 200 },
    )
  })

  it('shares all but a few chunks with the one that it came from, and does not crumble', () => {
    let list = lineList(lines(20_000))
    const chunks = list.chunks.length
    for (let edit = 0; edit < 2000; edit++) {
      const next = spliceLines(list, (edit * 7919) % 20_000, 1, lines(1))
      const shared = new Set(list.chunks)
      const copied = next.chunks.filter((chunk) => !shared.has(chunk))
      expect(copied.reduce((sum, chunk) => sum + chunk.length, 0)).toBeLessThan(1000)
      list = next
    }
    expect(list.chunks.length).toBeLessThan(chunks * 4)
  })
})

describe('lines of two texts', () => {
  const word = fc.constantFrom('a', 'b', 'c', '', '}', 'unique one', 'unique two', 'unique three')

  it('are matched in order, only with equal ones, and wholly where nothing changed', () => {
    const text = fc.array(word, { maxLength: 200 })
    fc.assert(
      fc.property(text, text, text, (older, newer, same) => {
        const before = [...older, ...same]
        const after = [...newer, ...same]
        const matches = alignLines(before, after)
        const found = matches.filter((match) => match !== -1)
        expect(found).toEqual([...new Set(found)].sort((a, b) => a - b))
        for (const [index, match] of matches.entries()) {
          if (match !== -1) expect(before[match]).toBe(after[index])
        }
        expect(found.length).toBeGreaterThanOrEqual(same.length)
        expect(alignLines(before, before)).toEqual(before.map((_, index) => index))
      }),
    )
  })
})

describe('two thousand edits of a file of twenty thousand lines', () => {
  it('keep every version at the price of about one', () => {
    const path = '/long.txt'
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index}.`).join('\n')
    const tracker = createFileTracker()
    tracker.observe(operation({ action: { kind: 'write', path, content: text } }))
    for (let turn = 2; turn <= 2000; turn++) {
      const line = `line ${(turn * 37) % 20_000}.`
      const edit = { kind: 'replace', oldText: line, newText: `${line}\nmore`, all: false } as const
      tracker.observe(operation({ turn, action: { kind: 'edit', path, edits: [edit] } }))
    }
    expect(tracker.stateAt(path, 1).text).toBe(text)
    expect(tracker.current(path).lineCount).toBe(20_000 + 1999)
    expect(tracker.stateAt(path, 1000).lineCount).toBe(20_000 + 999)
  })
})
