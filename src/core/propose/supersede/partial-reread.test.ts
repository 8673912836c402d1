import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { only, type ToldTurn, tell } from '../../../../test/engine/told-session.ts'

const settings = only({ files: 'current-view', schedule: 'on-demand' })
const text = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `  const value${n} = compute('a.ts', ${n})`)
const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, n) => `${first + n}\t${line}`).join('\n')

const read = (id: string, lines: readonly string[], first = 1): ToldTurn => [
  {
    id,
    tool: 'Read',
    input: { file_path: '/p/a.ts', offset: first, limit: lines.length },
    output: numbered(lines, first),
  },
]
const edit = (id: string, old_string: string, new_string: string): ToldTurn => [
  { id, tool: 'Edit', input: { file_path: '/p/a.ts', old_string, new_string }, output: 'ok' },
]

function shown(turns: readonly ToldTurn[], id: string): string {
  const { engine } = tell(turns, settings)
  const item = engine.record.items.find((each) => each.kind === 'result' && each.call === id)
  return (item && engine.ledger.of(item.index)?.rendition.text) ?? item?.text ?? ''
}

describe('a read of a file that was changed since it was read', () => {
  const before = text(60)
  const wide = '  const value30 = wider()\n  const extra = 1'
  const after = before.toSpliced(30, 1, ...wide.split('\n'))

  it('shows what the edit put in, with the lines around it, and says where the rest is', () => {
    const turns = [read('a', before), edit('e', before[30] as string, wide), read('b', after)]
    const again = shown(turns, 'b').split('\n')
    expect(again[0]).toMatch(
      /^\[… file lines 1–28 as in `read \/p\/a.ts lines 1–60` above, result [0-9a-f]{6} · context_restore [0-9a-f]{6}\]$/,
    )
    expect(again.slice(1, -1)).toEqual(numbered(after.slice(28, 34), 29).split('\n'))
    expect(again.at(-1)).toMatch(
      /^\[… file lines 35–61 as in `read \/p\/a.ts lines 1–60` above, result \w{6}, there file lines 34–60\]$/,
    )
  })

  it('does not look for its lines in a read of the same turn', () => {
    const both = [read('b', after), read('c', after)].flat()
    const turns = [read('a', before), edit('e', before[30] as string, wide), both]
    const plain = (id: string): string => shown(turns, id).replace(/[0-9a-f]{6}\]/, 'handle]')
    expect(plain('b')).toMatch(
      /^\[… file lines 1–28 as in `read \/p\/a.ts lines 1–60` above, result \w{6} · context_restore handle\]/,
    )
    expect(plain('c')).toBe(plain('b'))
  })

  it('points to what was written as a whole', () => {
    const written: ToldTurn = [
      {
        id: 'w',
        tool: 'Write',
        input: { file_path: '/p/a.ts', content: `${before.join('\n')}\n` },
        output: 'ok',
      },
    ]
    expect(shown([written, read('b', before)], 'b')).toMatch(
      /^\[… file lines 1–60 as in `write \/p\/a.ts` above, input [0-9a-f]{6} · context_restore [0-9a-f]{6}\]$/,
    )
  })

  it('shows what somebody else changed, with the lines around it', () => {
    const changed = before.toSpliced(30, 1, '  const value30 = elsewhere()')
    const again = shown([read('a', before), read('b', changed)], 'b').split('\n')
    expect(again[0]).toMatch(
      /^\[… file lines 1–28 as in `read \/p\/a.ts lines 1–60` above, result [0-9a-f]{6} · context_restore [0-9a-f]{6}\]$/,
    )
    expect(again.slice(1, -1)).toEqual(numbered(changed.slice(28, 33), 29).split('\n'))
    expect(again.at(-1)).toMatch(
      /^\[… file lines 34–60 as in `read \/p\/a.ts lines 1–60` above, result \w{6}\]$/,
    )
  })

  it('shows lines that no item shows', () => {
    const again = shown([read('a', before.slice(0, 40)), read('b', before.slice(20), 21)], 'b')
    expect(again).toContain('[… file lines 21–38 as in `read /p/a.ts lines 1–40` above, result ')
    expect(again).toContain(numbered(before.slice(38), 39))
  })

  it('stays whole where little is known of it, and where notes could not be told from text', () => {
    const whole = [read('a', before.slice(0, 3)), read('b', before)]
    expect(shown(whole, 'b')).toBe(numbered(before, 1))
    const notes = before.with(2, '[… file lines 3–9 are mine')
    const odd = [read('a', notes.slice(0, 40)), read('b', notes)]
    expect(shown(odd, 'b')).toBe(numbered(notes, 1))
  })

  it('loses no line, whatever was read and changed, and gets no longer', () => {
    const range = fc.tuple(fc.nat(59), fc.integer({ min: 1, max: 60 }))
    const step = fc.oneof(
      range.map(([first, count]) => ({ kind: 'read' as const, first, count })),
      fc.nat(59).map((line) => ({ kind: 'edit' as const, line })),
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
        let file = [...before]
        const turns = steps.map((each, at): ToldTurn => {
          if (each.kind === 'read') {
            return read(`${at}`, file.slice(each.first, each.first + each.count), each.first + 1)
          }
          const old = file[each.line] as string
          const next = `  const changed${at} = other(${at})`
          file = file.with(each.line, next)
          return edit(`${at}`, old, next)
        })
        const { engine } = tell(turns, settings)
        const page = engine.record.items.map(
          ({ index, text: own }) => engine.ledger.of(index)?.rendition.text ?? own,
        )
        const known = new Set(page.flatMap((each) => each.split('\n').map(withoutNumber)))
        const inputs = page.join('\n')
        for (const item of engine.record.items) {
          const now = engine.ledger.of(item.index)?.rendition.text ?? item.text
          expect(now.length).toBeLessThanOrEqual(item.text.length)
          if (item.kind !== 'result') continue
          for (const line of item.text.split('\n').map(withoutNumber)) {
            if (file.includes(line)) expect(known.has(line) || inputs.includes(line)).toBe(true)
          }
        }
      }),
      { numRuns: 60 },
    )
  })
})

const withoutNumber = (line: string): string => line.replace(/^\d+\t/, '')
