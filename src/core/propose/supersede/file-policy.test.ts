import { describe, expect, it } from 'vitest'
import { lines, only, type ToldCall, tell } from '../../../../test/engine/told-session.ts'

const oneView = only({ files: 'one-view' })

function read(
  id: string,
  range: { offset?: number; limit?: number } = {},
  path = 'a.ts',
): ToldCall {
  const first = range.offset ?? 1
  const output = lines(first, first + (range.limit ?? 100) - 1)
  return { id, tool: 'read', input: { filePath: path, ...range }, output }
}

function write(id: string, path = 'a.ts'): ToldCall {
  const input = { filePath: path, content: lines(1, 100) }
  return { id, tool: 'write', input, output: `Wrote ${lines(1, 3)}` }
}

function edit(id: string, path = 'a.ts'): ToldCall {
  const input = { filePath: path, oldString: 'line 1 of', newString: 'line one of' }
  return { id, tool: 'edit', input, output: `Edited. ${lines(1, 3)}` }
}

function bash(id: string, command: string, output: string): ToldCall {
  return { id, tool: 'bash', input: { command }, output }
}

function patch(id: string, ...paths: readonly string[]): ToldCall {
  const sections = paths.map((path) => `*** Update File: ${path}\n@@\n-line 1 of\n+line one of\n`)
  const input = `*** Begin Patch\n${sections.join('')}*** End Patch`
  return { id, tool: 'apply_patch', input, output: `Success. ${lines(1, 3)}` }
}

describe('the policy one-view', () => {
  it('keeps only the newest of reads and writes of the whole file', () => {
    const turns = [[read('a')], [read('b')], [write('c')], [read('d')]]
    expect(tell(turns, oneView).results).toEqual({
      a: 'superseded file b',
      b: 'superseded file c',
      c: 'superseded file d',
    })
  })

  it('keeps only the newest of edits', () => {
    expect(tell([[write('a')], [edit('b')], [edit('c')]], oneView).results).toEqual({
      a: 'superseded file b',
      b: 'superseded file c',
    })
  })

  it('does not hide lines that the newer read does not show', () => {
    const turns = [[read('a', { offset: 1, limit: 100 })], [read('b', { offset: 200, limit: 100 })]]
    expect(tell(turns, oneView).results).toEqual({})
  })

  it('hides a part behind a read that holds it, and not the other way round', () => {
    const [part, more] = [read('part', { offset: 20, limit: 10 }), read('more')]
    expect(tell([[part], [more]], oneView).results).toEqual({ part: 'superseded file more' })
    expect(tell([[more], [part]], oneView).results).toEqual({})
  })

  it('does not hide an edit behind a read of a part', () => {
    const turns = [[edit('a')], [read('b', { offset: 1, limit: 50 })]]
    expect(tell(turns, oneView).results).toEqual({})
  })

  it('takes a read that was cut for what it shows', () => {
    const cut = `${lines(1, 50)}\n\n[50 more lines in file. Use offset=51 to continue.]`
    const turns = [[read('a')], [{ ...read('b'), output: cut }]]
    expect(tell(turns, oneView).results).toEqual({})
  })

  it('does not take two thousand lines for the whole file', () => {
    const long = { ...read('b'), output: lines(1, 2000) }
    expect(tell([[edit('a')], [long]], oneView).results).toEqual({})
    const shorter = { ...read('b'), output: lines(1, 1999) }
    expect(tell([[edit('a')], [shorter]], oneView).results).toEqual({ a: 'superseded file b' })
  })

  it('counts what a shell prints as a read, on either side', () => {
    const printed = bash('b', 'cat a.ts', lines(1, 100))
    expect(tell([[read('a')], [printed]], oneView).results).toEqual({ a: 'superseded file b' })
    expect(tell([[printed], [edit('c')]], oneView).results).toEqual({ b: 'superseded file c' })
    const part = bash('p', "sed -n '1,40p' a.ts", lines(1, 40))
    expect(tell([[read('a')], [part]], oneView).results).toEqual({})
    expect(tell([[part], [read('a')]], oneView).results).toEqual({ p: 'superseded file a' })
  })

  it('hides a command that prints several files once all of them are replaced', () => {
    const both = bash('both', 'cat a.ts && cat b.ts', lines(1, 200))
    expect(tell([[both], [edit('a')]], oneView).results).toEqual({})
    expect(tell([[both], [edit('a')], [edit('b', 'b.ts')]], oneView).results).toEqual({
      both: 'superseded file b',
    })
  })

  it('never hides a command that does more than print files', () => {
    for (const command of ['cat a.ts; npm test', 'cat a.ts && git log', 'cat a.ts | grep x']) {
      const turns = [[bash('a', command, lines(1, 100))], [write('b')], [read('c')]]
      expect(tell(turns, oneView).results).toEqual({ b: 'superseded file c' })
    }
  })

  it('takes a change by a command for an edit', () => {
    const turns = [[read('a')], [bash('b', "sed -i 's/x/y/' a.ts", '')]]
    expect(tell(turns, oneView).results).toEqual({ a: 'superseded file b' })
  })

  it('hides a command that only wrote a file, and none that had something to say besides', () => {
    const settings = { ...oneView, pruneToolInputs: true }
    const wrote = (output: string): ToldCall =>
      bash('a', `cat > a.ts <<'EOF'\n${lines(1, 9)}\nEOF`, output)
    expect(tell([[wrote('')], [read('b')]], settings).inputs).toEqual({ a: 'stripped file b' })
    expect(tell([[wrote(lines(1, 9))], [read('b')]], settings).inputs).toEqual({})
  })

  it('follows no command of unknown effect', () => {
    expect(tell([[read('a')], [bash('b', 'make everything', '')]], oneView).results).toEqual({})
  })

  it('hides a patch of several files only when each of them was replaced', () => {
    const several = patch('p', 'a.ts', 'b.ts')
    expect(tell([[several], [edit('a')]], oneView).results).toEqual({})
    expect(tell([[several], [edit('a')], [write('b', 'b.ts')]], oneView).results).toEqual({
      p: 'superseded file b',
    })
  })

  it('lets a patch replace the reads of every file that it changes', () => {
    const turns = [[read('a'), read('b', {}, 'b.ts')], [patch('p', 'a.ts', 'b.ts')]]
    expect(tell(turns, oneView).results).toEqual({
      a: 'superseded file p',
      b: 'superseded file p',
    })
  })

  it('does not hide a read of several files for a change of the first', () => {
    const many: ToldCall = {
      id: 'many',
      tool: 'read_many_files',
      input: { paths: ['a.ts', 'b.ts'] },
      output: lines(1, 200),
    }
    expect(tell([[many], [edit('a')]], oneView).results).toEqual({})
  })

  it('leaves protected files alone, and a patch that touches one', () => {
    const protection = { tool: () => false, file: (path: string) => path === 'a.ts' }
    const turns = [
      [read('a'), read('b', {}, 'b.ts'), patch('p', 'a.ts', 'b.ts')],
      [edit('c'), edit('d', 'b.ts')],
    ]
    expect(tell(turns, oneView, { protection }).results).toEqual({ b: 'superseded file d' })
  })

  it('still hides parallel reads of one turn when a later turn replaces them', () => {
    const turns = [[read('a'), read('b')], [read('c')]]
    expect(tell(turns, oneView).results).toEqual({
      a: 'superseded file c',
      b: 'superseded file c',
    })
  })
})

describe('the result of a write', () => {
  const written = (id: string): ToldCall => ({ ...write(id), output: 'Wrote file successfully.' })

  it('is superseded by its handle where it is too short for words', () => {
    const told = tell([[written('a')], [edit('b')]], oneView)
    expect(told.results).toEqual({ a: 'superseded file b' })
    expect(told.inputs).toEqual({})
    expect(told.decisions[0]?.rendition.text).toBe(`[${told.decisions[0]?.handle}]`)
  })

  it('is counted once as a file, and its input apart', () => {
    const told = tell([[written('a')], [edit('b')]], { ...oneView, pruneToolInputs: true })
    expect(told.results).toEqual({ a: 'superseded file b' })
    expect(told.inputs).toEqual({ a: 'stripped input b' })
  })
})

describe('the policy latest-change', () => {
  const latest = only({ files: 'latest-change' })

  it('hides reads, writes and edits behind a write or an edit', () => {
    expect(tell([[read('a')], [write('b')], [edit('c')]], latest).results).toEqual({
      a: 'superseded file b',
      b: 'superseded file c',
    })
  })

  it('hides nothing behind a read', () => {
    expect(tell([[read('a')], [write('b')], [read('c')]], latest).results).toEqual({
      a: 'superseded file b',
    })
  })
})

describe('the policy overwrite', () => {
  const overwrite = only({ files: 'overwrite' })

  it('hides reads behind a full write', () => {
    expect(tell([[read('a')], [write('b')]], overwrite).results).toEqual({
      a: 'superseded file b',
    })
  })

  it('hides nothing behind an edit, a patch or a read', () => {
    const turns = [[read('a')], [edit('b')], [patch('c', 'a.ts')], [read('d')]]
    expect(tell(turns, overwrite).results).toEqual({})
  })

  it('takes a command that spells the whole file out for a write, and an appending one not', () => {
    const heredoc = (redirect: string): ToldCall =>
      bash('b', `cat ${redirect} a.ts <<'EOF'\nnew text\nEOF`, '')
    expect(tell([[read('a')], [heredoc('>')]], overwrite).results).toEqual({
      a: 'superseded file b',
    })
    expect(tell([[read('a')], [heredoc('>>')]], overwrite).results).toEqual({})
  })

  it('leaves writes and edits as they are', () => {
    expect(tell([[write('a')], [edit('b')], [write('c')]], overwrite).results).toEqual({})
  })
})
