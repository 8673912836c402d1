import { describe, expect, it } from 'vitest'
import { lines, only, type ToldCall, tell } from '../../../../test/engine/told-session.ts'

const settings = only({ files: 'supersede-reads' })

function read(id: string, filePath = 'src/app.ts'): ToldCall {
  return { id, tool: 'read', input: { filePath }, output: lines(1, 12) }
}

function write(id: string, filePath = 'src/app.ts'): ToldCall {
  return { id, tool: 'write', input: { filePath, content: lines(1, 3) }, output: 'Wrote it.' }
}

function edit(id: string, filePath = 'src/app.ts'): ToldCall {
  const input = { filePath, oldString: 'line 1 of', newString: 'line one of' }
  return { id, tool: 'edit', input, output: 'Edit applied.' }
}

describe('the policy supersede-reads', () => {
  it('prunes a read that is followed by a write of the same file', () => {
    expect(tell([[read('a')], [write('b')]], settings).results).toEqual({
      a: 'superseded file b',
    })
  })

  it('prunes a read that is followed by an edit of the same file', () => {
    expect(tell([[read('a')], [edit('b')]], settings).results).toEqual({
      a: 'superseded file b',
    })
  })

  it('does not prune a read that comes after the write', () => {
    expect(tell([[write('a')], [read('b')]], settings).results).toEqual({})
  })

  it('does not prune across files', () => {
    expect(tell([[read('a')], [write('b', 'src/other.ts')]], settings).results).toEqual({})
  })

  it('does not prune for a write that failed', () => {
    expect(tell([[read('a')], [{ ...write('b'), status: 'error' }]], settings).results).toEqual({})
  })

  it('prunes all reads before the write', () => {
    expect(tell([[read('a')], [read('b')], [write('c')]], settings).results).toEqual({
      a: 'superseded file c',
      b: 'superseded file c',
    })
  })

  it('prunes only reads before the write, and none after it', () => {
    expect(tell([[read('a')], [write('b')], [read('c')]], settings).results).toEqual({
      a: 'superseded file b',
    })
  })

  it('counts a read once, however often the file is written afterwards', () => {
    const { decisions, results } = tell([[read('a')], [edit('b')], [edit('c')]], settings)
    expect(results).toEqual({ a: 'superseded file b' })
    expect(decisions).toHaveLength(1)
  })

  it('does nothing when it is switched off', () => {
    expect(tell([[read('a')], [write('b')]], only({ files: 'none' })).results).toEqual({})
  })

  it('does nothing in manual mode without automatic strategies', () => {
    const manual = (automaticStrategies: boolean) =>
      tell([[read('a')], [write('b')]], {
        ...settings,
        manualMode: { enabled: true, automaticStrategies },
      }).results
    expect(manual(false)).toEqual({})
    expect(manual(true)).toEqual({ a: 'superseded file b' })
  })

  it('does not prune reads of protected files', () => {
    const protection = { tool: () => false, file: (path: string) => path.endsWith('.env') }
    const turns = [
      [read('a', '.env'), read('b')],
      [write('c', '.env'), write('d')],
    ]
    expect(tell(turns, settings, { protection }).results).toEqual({ b: 'superseded file d' })
  })

  it('follows each of several files by itself', () => {
    const turns = [[read('a', 'x.ts'), read('b', 'y.ts'), read('c', 'z.ts')], [write('d', 'x.ts')]]
    expect(tell([...turns, [edit('e', 'z.ts')]], settings).results).toEqual({
      a: 'superseded file d',
      c: 'superseded file e',
    })
  })

  it('is content with a session without calls', () => {
    expect(tell([], settings).results).toEqual({})
  })

  it('leaves other tools alone', () => {
    const grep = { id: 'a', tool: 'grep', input: { pattern: 'src/app.ts' }, output: lines(1, 9) }
    const bash = { id: 'b', tool: 'bash', input: { command: 'npm test' }, output: lines(1, 9) }
    expect(tell([[grep], [bash], [write('c')]], settings).results).toEqual({})
  })
})
