import { describe, expect, it } from 'vitest'
import { operation } from '../../../../test/core/observed-operation.ts'
import type { Action, ShellAction, ShellChange, TextEdit } from '../../words/action.ts'
import type { Message } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import { certainLine, createFileTracker, type FileTracker } from '../index.ts'

const path = '/p/a.ts'
const shown = (first: number, ...lines: string[]): { first: number; lines: string[] } => ({
  first,
  lines,
})
const read = (start?: number, end?: number): Action => ({
  kind: 'read',
  path,
  lines: start === undefined ? null : { start, end: end ?? null },
})
const write = (content: string): Action => ({ kind: 'write', path, content })
const edit = (...edits: TextEdit[]): Action => ({ kind: 'edit', path, edits })
const replace = (oldText: string, newText: string, all = false): TextEdit => ({
  kind: 'replace',
  oldText,
  newText,
  all,
})
const shell = (changes: readonly ShellChange[], command = 'run'): ShellAction => ({
  kind: 'shell',
  command,
  workdir: null,
  reads: [],
  changes,
  query: null,
  continues: false,
})

function track(...operations: Operation[]): FileTracker {
  const tracker = createFileTracker()
  for (const each of operations) tracker.observe(each)
  return tracker
}

describe('the rest of a line that was changed in part', () => {
  const lines = ['one = call(1)', 'two = call(2)', 'three = call(3)', 'call(4)']
  const seen = operation({ action: read(), lines: shown(1, ...lines), turn: 1 })
  /** By line of the read: the lines of the file as it is now that have something left of it. */
  const restsAfter = (action: Action): readonly (readonly string[])[] => {
    const tracker = track(seen, operation({ action, turn: 2 }))
    const texts = new Map<number, string>()
    for (const segment of tracker.current(path).segments) {
      if (segment.kind === 'lines') for (const { id, text } of segment.lines) texts.set(id, text)
    }
    const [showing] = tracker.shownBy(seen.result?.index ?? -1)
    return (showing?.ids ?? []).map((id) =>
      tracker.successorsOf(id ?? -1).map((rest) => texts.get(rest) ?? ''),
    )
  }

  it('is in the changed line, or where the lines before and behind the change went', () => {
    const cases: readonly (readonly [Action, readonly (readonly string[])[]])[] = [
      [edit(replace('call(1)', 'made(1)')), [['one = made(1)'], [], [], []]],
      [edit(replace('call(1)\ntwo', 'made(1)\n2')), [['one = made(1)'], ['2 = call(2)'], [], []]],
      [edit(replace(' = call(2)\nthree', '')), [[], ['two = call(3)'], ['two = call(3)'], []]],
      [edit(replace('= call(3)', '=\n  made(3)')), [[], [], ['three ='], []]],
      [
        edit(replace(' = call', ' = made', true)),
        lines.map((line) => (line.includes('=') ? [line.replace('call', 'made')] : [])),
      ],
    ]
    for (const [action, expected] of cases) expect(restsAfter(action)).toEqual(expected)
  })

  it('is nowhere when the change says all of what it leaves', () => {
    const cases = [
      edit(replace('two = call(2)', '2 = made(2)')),
      edit(replace('one = call(1)\ntwo = call(2)', 'both')),
      write('one\ntwo\n'),
    ]
    for (const action of cases) expect(restsAfter(action)).toEqual([[], [], [], []])
  })
})

describe('what is known of a file', () => {
  it('is nothing before anybody has seen it', () => {
    expect(createFileTracker().current(path)).toEqual({
      version: 0,
      exists: null,
      lineCount: null,
      complete: false,
      text: null,
      segments: [{ kind: 'gap', first: 1, length: null }],
    })
  })

  it('is its whole text after a write, to the last line break', () => {
    for (const text of ['a\nb\n', 'a\nb', '', '\n']) {
      expect(track(operation({ action: write(text) })).current(path)).toMatchObject({
        text,
        complete: true,
        exists: true,
        version: 1,
        lineCount: text.split('\n').length,
      })
    }
  })

  it('is only the lines that a read showed, with the gaps around them', () => {
    const lines = shown(3, 'c', 'd')
    const state = track(operation({ action: read(3, 4), lines })).current(path)
    expect(state.segments).toEqual([
      { kind: 'gap', first: 1, length: 2 },
      {
        kind: 'lines',
        first: 3,
        lines: [
          { id: 0, text: 'c', certain: true },
          { id: 1, text: 'd', certain: true },
        ],
      },
      { kind: 'gap', first: 5, length: null },
    ])
    expect([2, 3, 4, 5].map((line) => certainLine(state, line))).toEqual([null, 'c', 'd', null])
  })

  it('ends where a read shows fewer lines than it was asked for', () => {
    const lines = shown(1, 'a', 'b', '')
    expect(track(operation({ action: read(1, 9), lines })).current(path).text).toBe('a\nb\n')
    expect(track(operation({ action: read(1, 3), lines })).current(path).text).toBeNull()
    const cut = operation({ action: read(), lines, truncated: true })
    expect(track(cut).current(path).text).toBeNull()
  })

  it('does not end at a round number of lines, where tools stop without a word', () => {
    const lines = shown(1, ...Array.from({ length: 2000 }, (_, index) => `${index}`))
    expect(track(operation({ action: read(), lines })).current(path).text).toBeNull()
  })

  it('has the last line break that a tool hides once the tool is known to hide it', () => {
    const hides = { first: 1, lines: ['a', 'b'] }
    const tracker = track(
      operation({ action: write('a\nb\n') }),
      operation({ action: read(), lines: hides }),
    )
    expect(tracker.current(path).text).toBe('a\nb\n')
  })

  it('leaves out the text of a line that the tool cut', () => {
    const long = `${'x'.repeat(2000)}...`
    const state = track(operation({ action: read(), lines: shown(1, 'a', long, 'c') })).current(
      path,
    )
    expect([1, 2, 3].map((line) => certainLine(state, line))).toEqual(['a', null, 'c'])
  })

  it('keeps Windows line breaks that a tool does not show, and writes new lines with them', () => {
    const tracker = track(
      operation({ action: write('a\r\nb\r\n') }),
      operation({ action: read(), lines: shown(1, 'a', 'b', '') }),
      operation({ action: edit(replace('a\nb', 'a\nx\nb')) }),
    )
    expect(tracker.current(path).text).toBe('a\r\nx\r\nb\r\n')
  })

  it('is that it does not exist when a read says so', () => {
    const missing = operation({ action: read(), status: 'error', body: 'File does not exist.' })
    expect(track(missing).current(path).exists).toBe(false)
    const refused = operation({ action: read(), status: 'error', body: 'Permission denied' })
    expect(track(refused).current(path).exists).toBeNull()
  })
})

describe('edits', () => {
  const written = operation({ action: write('one\ntwo\nthree\ntwo\n') })

  it('are applied to the known text: in a line, over lines, everywhere, in their order', () => {
    const edits = edit(replace('hree', 'HREE'), replace('one\ntwo', '1'), replace('t', 'T', true))
    expect(track(written, operation({ action: edits })).current(path).text).toBe('1\nTHREE\nTwo\n')
  })

  it('insert lines, replace lines and can be undone', () => {
    const insert = edit({ kind: 'insert', afterLine: 1, text: 'new' })
    const lines = edit({ kind: 'lines', lines: { start: 2, end: 3 }, text: 'x' })
    const tracker = track(written, operation({ action: insert }), operation({ action: lines }))
    expect(tracker.current(path).text).toBe('one\nx\nthree\ntwo\n')
    tracker.observe(operation({ action: edit({ kind: 'undo' }) }))
    expect(tracker.current(path).text).toBe('one\nnew\ntwo\nthree\ntwo\n')
  })

  it('that failed or still run change nothing', () => {
    for (const status of ['error', 'running'] as const) {
      const failed = operation({ action: edit(replace('one', 'x')), status })
      expect(track(written, failed).current(path).text).toBe('one\ntwo\nthree\ntwo\n')
    }
  })

  it('of a lone carriage return, which no line shows, leave nothing certain', () => {
    const tracker = track(
      operation({ action: write('a\r\nb') }),
      operation({ action: edit(replace('\r', '')) }),
    )
    expect(tracker.current(path)).toMatchObject({ complete: false, text: null })
  })

  it('in a gap move what follows, when there is only one gap', () => {
    const tracker = track(
      operation({ action: read(1, 2), lines: shown(1, 'a', 'b') }),
      operation({ action: read(5, 9), lines: shown(5, 'e', 'f', '') }),
      operation({ action: edit(replace('c', 'c\nc')) }),
    )
    const state = tracker.current(path)
    expect([1, 2, 5, 6, 7].map((line) => certainLine(state, line))).toEqual([
      'a',
      'b',
      null,
      'e',
      'f',
    ])
  })

  it('that may have been before or after some lines take away their place, not their text', () => {
    const tracker = track(
      operation({ action: read(5, 6), lines: shown(5, 'eee', 'fff') }),
      operation({ action: edit(replace('c', 'c\nc')) }),
    )
    expect(certainLine(tracker.current(path), 5)).toBeNull()
    const again = operation({ action: read(6, 8), lines: shown(6, 'eee', 'fff', 'ggg') })
    const ids = tracker
      .current(path)
      .segments.flatMap((each) => ('lines' in each ? each.lines : []))
    tracker.observe(again)
    expect(tracker.shownBy(again.result?.index ?? -1)[0]?.ids.slice(0, 2)).toEqual(
      ids.map((line) => line.id),
    )
  })

  it('show their result, which is believed', () => {
    const insert = edit({ kind: 'insert', afterLine: 1, text: 'new\n' })
    const snippet = shown(1, 'one', 'new', 'two', 'three', 'two', '')
    const tracker = track(written, operation({ action: insert, lines: snippet }))
    expect([2, 3].map((line) => certainLine(tracker.current(path), line))).toEqual(['new', 'two'])
  })

  it('by patch go to the lines that they name', () => {
    const hunk = (oldStart: number | null, ...lines: string[]): Action => ({
      kind: 'patch',
      files: [
        {
          op: 'update',
          path,
          movedTo: '/p/b.ts',
          hunks: [
            {
              heading: '',
              oldStart,
              lines: lines.map((line) => ({
                sign: line[0] as ' ' | '-' | '+',
                text: line.slice(1),
              })),
            },
          ],
        },
      ],
    })
    const tracker = track(written, operation({ action: hunk(null, ' three', '-two', '+2') }))
    expect(tracker.current('/p/b.ts').text).toBe('one\ntwo\nthree\n2\n')
    expect(tracker.current(path).exists).toBe(false)
    const numbered = track(written, operation({ action: hunk(4, '-two', '+2') }))
    expect(numbered.current('/p/b.ts').text).toBe('one\ntwo\nthree\n2\n')
  })

  it('that fail on text which seemed certain show that somebody else changed files', () => {
    const other = operation({ action: { kind: 'write', path: '/p/other.ts', content: 'x' } })
    const failed = operation({
      action: edit(replace('three', '3')),
      status: 'error',
      body: 'String to replace not found in file.',
    })
    const tracker = track(written, other, failed)
    expect(tracker.current(path).text).toBeNull()
    expect(tracker.current('/p/other.ts').text).toBeNull()
    const innocent = operation({
      action: edit(replace('zzz', '3')),
      status: 'error',
      body: 'not found',
    })
    expect(track(written, innocent).current(path).complete).toBe(true)
  })
})

describe('commands', () => {
  const written = operation({ action: write('a\nb\n') })

  it('write, append, copy, move and delete', () => {
    const tracker = track(
      written,
      operation({ action: shell([{ kind: 'write', path, content: 'c\n', append: true }]) }),
      operation({ action: shell([{ kind: 'copy', path, to: '/p/copy' }]) }),
      operation({ action: shell([{ kind: 'move', path: '/p', to: '/q' }]) }),
      operation({ action: shell([{ kind: 'delete', path: '/q/copy' }]) }),
    )
    expect(tracker.current('/q/a.ts').text).toBe('a\nb\nc\n')
    expect([path, '/p/copy', '/q/copy'].map((each) => tracker.current(each).exists)).toEqual([
      false,
      false,
      false,
    ])
  })

  it('of unknown effect leave the text as the last known one, which a read confirms', () => {
    const tracker = track(written, operation({ action: shell([{ kind: 'unknown' }]) }))
    expect(tracker.current(path)).toMatchObject({ text: null, complete: false, lineCount: null })
    tracker.observe(operation({ action: read(1, 1), lines: shown(1, 'a') }))
    const state = tracker.current(path)
    expect([certainLine(state, 1), certainLine(state, 2)]).toEqual(['a', null])
    tracker.observe(operation({ action: read(), lines: shown(1, 'a', 'b', '') }))
    expect(tracker.current(path)).toMatchObject({ text: 'a\nb\n', version: 1 })
  })

  it('that failed may have done what they were to do, and those that never ran did not', () => {
    const change = shell([{ kind: 'delete', path }])
    const failed = operation({ action: change, status: 'error', exitCode: 1 })
    expect(track(written, failed).current(path)).toMatchObject({ exists: null, text: null })
    const refused = operation({ action: change, status: 'error', body: 'The user said no.' })
    expect(track(written, refused).current(path).text).toBe('a\nb\n')
  })

  it('that format touch what the agent wrote, and only its neighbours', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
    const format = operation({ action: shell([{ kind: 'unknown' }], 'npm run format') })
    const tracker = track(
      operation({ action: read(), lines: shown(1, ...lines, '') }),
      operation({ action: edit(replace('line 10', 'changed')) }),
      format,
    )
    const state = tracker.current(path)
    expect([1, 7, 10, 15].map((line) => certainLine(state, line))).toEqual([
      'line 1',
      'line 7',
      null,
      null,
    ])
    const nothing = operation({
      action: shell([{ kind: 'unknown' }], 'npm run format'),
      body: 'Checked 9 files. No fixes applied.',
    })
    expect(track(written, nothing).current(path).complete).toBe(true)
  })

  it('that print a file show it, with its last line break', () => {
    const cat: ShellAction = {
      ...shell([]),
      reads: [{ path, lines: { start: 1, end: null }, exact: true, numbered: false }],
    }
    const printed = operation({ action: cat, lines: shown(1, 'a'), body: 'a\n' })
    expect(track(printed).current(path).text).toBe('a\n')
  })
})

describe('changes from outside', () => {
  it('are noticed when a read shows other text, and put all else of the file in doubt', () => {
    const tracker = track(
      operation({ action: read(), lines: shown(1, 'a', 'b', 'c', '') }),
      operation({ action: { kind: 'read', path: '/p/b', lines: null }, lines: shown(1, 'x') }),
      operation({ action: read(2, 2), lines: shown(2, 'B'), turn: 2 }),
    )
    const state = tracker.current(path)
    expect([1, 2, 3].map((line) => certainLine(state, line))).toEqual([null, 'B', null])
    expect(tracker.current('/p/b').complete).toBe(true)
    expect(tracker.history(path).map(({ kind, version }) => [kind, version])).toEqual([
      ['read', 1],
      ['noticed', 2],
    ])
  })

  const message = (role: Message['role'], text: string, at: number, index: number): Message => {
    const place = { index, message: index, turn: index, handle: '000000', tokens: 0 }
    return { index, role, hash: '', at, items: [{ ...place, kind: 'text', role, text }] }
  }
  const heardAfter = (text: string, pauseMs: number): FileTracker => {
    const tracker = createFileTracker()
    tracker.observeMessage(message('assistant', 'done', 0, 0))
    tracker.observe(operation({ action: write('a\nb\n') }))
    tracker.observeMessage(message('user', text, pauseMs, 5))
    return tracker
  }

  it('are expected after a pause, in what the agent wrote, and when the user tells of them', () => {
    expect(heardAfter('go on', 1000).current(path).complete).toBe(true)
    expect(heardAfter('go on', 600_000).current(path).complete).toBe(false)
    expect(heardAfter('I reverted that', 1000).current(path).complete).toBe(false)
    expect(heardAfter('I removed two lines by hand', 1000).current(path).complete).toBe(false)
  })

  it('do not change what was known after the results before them', () => {
    const tracker = heardAfter('I reverted that', 1000)
    expect([0, 1, 4, 5].map((turn) => tracker.stateAt(path, turn).text)).toEqual([
      null,
      'a\nb\n',
      'a\nb\n',
      null,
    ])
  })
})

describe('what items show', () => {
  it('is current until the file changes there, and is shown again by later items', () => {
    const first = operation({ action: read(), lines: shown(1, 'a', 'b', 'c') })
    const change = operation({ action: edit(replace('b', 'B')), turn: 2 })
    const second = operation({ action: read(1, 1), lines: shown(1, 'a'), turn: 3 })
    const tracker = track(first, change, second)
    const [index, again] = [first.result?.index ?? -1, second.result?.index ?? -1]
    expect(tracker.coverage(index)).toEqual([
      {
        path,
        first: 1,
        lines: [
          { id: 0, fate: 'current', shownAgain: again },
          { id: 1, fate: 'stale', shownAgain: null },
          { id: 2, fate: 'current', shownAgain: null },
        ],
      },
    ])
    expect(tracker.shownBy(change.call.index)).toMatchObject([{ path, version: 2, ids: [3] }])
    tracker.observe(operation({ action: shell([{ kind: 'unknown' }]) }))
    expect(tracker.coverage(index)[0]?.lines.map((line) => line.fate)).toEqual([
      'uncertain',
      'stale',
      'uncertain',
    ])
  })

  it('stays current when a write leaves the line as it was', () => {
    const first = operation({ action: read(), lines: shown(1, 'a', 'b', '') })
    const tracker = track(first, operation({ action: write('new\na\nb\n') }))
    const fates = tracker.coverage(first.result?.index ?? -1)[0]?.lines.map((line) => line.fate)
    expect(fates).toEqual(['current', 'current', 'current'])
  })
})
