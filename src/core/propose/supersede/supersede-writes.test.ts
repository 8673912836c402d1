import { describe, expect, it } from 'vitest'
import { lines, only, type ToldCall, tell } from '../../../../test/engine/told-session.ts'
import { noteOf, ownText } from '../../render/input-note.ts'

const settings = only({ supersedeWrites: true })

function write(id: string, rest: Partial<ToldCall> = {}): ToldCall {
  const input = { filePath: 'a.ts', content: lines(1, 20) }
  return { id, tool: 'write', input, output: 'Wrote it.', ...rest }
}

function read(id: string, rest: Partial<ToldCall> = {}): ToldCall {
  return { id, tool: 'read', input: { filePath: 'a.ts' }, output: lines(1, 20), ...rest }
}

describe('the input of a write', () => {
  it('goes when the whole file is read later; the result stays', () => {
    const { inputs, results, decisions } = tell([[write('a')], [read('b')]], settings)
    expect(inputs).toEqual({ a: 'stripped input b' })
    expect(results).toEqual({})
    const rendition = decisions[0]?.rendition
    expect(rendition && ownText(rendition)).toBe('{"filePath":"a.ts"}')
    expect(rendition && noteOf(rendition)).toBe(
      `[input left out · context_restore ${decisions[0]?.handle}]`,
    )
  })

  it.each([
    ['the read failed', [[write('a')], [read('b', { status: 'error' })]]],
    ['the write failed', [[write('a', { status: 'error' })], [read('b')]]],
    ['the read came first', [[read('b')], [write('a')]]],
    ['both are of one turn', [[write('a'), read('b')]]],
    ['another file is read', [[write('a')], [read('b', { input: { filePath: 'b.ts' } })]]],
    [
      'only a part is read',
      [[write('a')], [read('b', { input: { filePath: 'a.ts', limit: 5 }, output: lines(1, 5) })]],
    ],
  ] as const)('stays when %s', (_, turns) => {
    expect(tell(turns, settings).inputs).toEqual({})
  })

  it('stays when its key is off', () => {
    expect(tell([[write('a')], [read('b')]], only({})).inputs).toEqual({})
  })
})
