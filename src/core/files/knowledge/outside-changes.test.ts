import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../../actions/understand.ts'
import { createRecord } from '../../record/record.ts'
import { createOperations } from '../../track/operations.ts'
import type { MessageDraft, WorkingTree } from '../../words/item.ts'
import { certainLine, createFileTracker, type FileTracker } from '../index.ts'

interface Step {
  readonly tool: string
  readonly input: object
  readonly output: string
  readonly fails?: boolean
  readonly tree?: WorkingTree
  /** How long the call took. */
  readonly ms?: number
}
type Told = Step | { readonly user: string; readonly afterMs: number }

const write = (name: string, lines: readonly string[], tree?: WorkingTree): Step => ({
  tool: 'Write',
  input: { file_path: `/app/${name}`, content: `${lines.join('\n')}\n` },
  output: 'File created successfully',
  ...(tree === undefined ? {} : { tree }),
})
const read = (name: string, lines: readonly string[], first = 1): Step => ({
  tool: 'Read',
  input: { file_path: `/app/${name}`, offset: first, limit: lines.length },
  output: lines.map((line, at) => `${String(first + at).padStart(6)}→${line}`).join('\n'),
})
const edit = (name: string, oldText: string, newText: string): Step => ({
  tool: 'Edit',
  input: { file_path: `/app/${name}`, old_string: oldText, new_string: newText },
  output: `The file /app/${name} has been updated.`,
})
const bash = (command: string, output = '', rest: Partial<Step> = {}): Step => ({
  tool: 'Bash',
  input: { command },
  output,
  ...rest,
})
const body = (count: number, ending = ''): readonly string[] =>
  Array.from({ length: count }, (_, at) => `const name${at + 1} = call(${at + 1})${ending}`)

function tracked(steps: readonly Told[]): FileTracker {
  let at = 0
  const drafts = steps.flatMap((step, index): MessageDraft[] => {
    if ('user' in step) {
      at += step.afterMs
      return [{ role: 'user', at, items: [{ kind: 'text', text: step.user }] }]
    }
    const { tool, input, output, fails, tree, ms = 1000 } = step
    const call = `c${index}`
    const asked: MessageDraft = {
      role: 'assistant',
      at: at + 1000,
      items: [{ kind: 'call', tool, call, text: JSON.stringify(input) }],
      ...(tree === undefined ? {} : { tree }),
    }
    at += 1000 + ms
    const status = fails === true ? 'error' : 'ok'
    return [
      asked,
      { role: 'tool', at, items: [{ kind: 'result', tool, call, status, text: output }] },
    ]
  })
  const operations = createOperations(createUnderstanding({ cwd: '/app' }))
  const tracker = createFileTracker()
  for (const message of createRecord({ sizeOf: () => 0 }).append(drafts).added) {
    tracker.observeMessage(message)
    for (const operation of operations.observe(message)) tracker.observe(operation)
  }
  return tracker
}

const known = (tracker: FileTracker, name: string): readonly (string | null)[] => {
  const state = tracker.current(`/app/${name}`)
  return Array.from({ length: 12 }, (_, at) => certainLine(state, at + 1))
}
const isWhole = (tracker: FileTracker, name: string): boolean =>
  tracker.current(`/app/${name}`).complete

describe("an agent's notes on the working tree", () => {
  const tree = (before: string, after: string, changed: readonly string[] | null): WorkingTree => ({
    before,
    after,
    changed,
  })
  const still = tree('one', 'one', null)

  it('tell which files a command of unknown effect changed', () => {
    const steps = [
      write('a.ts', body(3), tree('zero', 'one', ['/app/a.ts'])),
      write('b.ts', body(3), tree('one', 'two', ['/app/b.ts'])),
      bash('python fix.py', '', { tree: tree('two', 'three', ['/app/b.ts']) }),
    ]
    const tracker = tracked(steps)
    expect([isWhole(tracker, 'a.ts'), isWhole(tracker, 'b.ts')]).toEqual([true, false])
    const nothing = tracked([
      ...steps.slice(0, 2),
      bash('python fix.py', '', { tree: tree('two', 'two', null) }),
    ])
    expect([isWhole(nothing, 'a.ts'), isWhole(nothing, 'b.ts')]).toEqual([true, true])
  })

  it('prove that a pause, or a user who says so, changed nothing', () => {
    const between = { user: 'I changed some files', afterMs: 900_000 }
    const steps = [write('a.ts', body(3), tree('zero', 'one', ['/app/a.ts'])), between]
    expect(isWhole(tracked([...steps, bash('ls', '', { tree: still })]), 'a.ts')).toBe(true)
    const other = { tree: tree('other', 'other', null) }
    expect(isWhole(tracked([...steps, bash('ls', '', other)]), 'a.ts')).toBe(false)
    expect(isWhole(tracked([...steps, bash('ls')]), 'a.ts')).toBe(false)
  })

  it('tell of others who work in the same tree, also in what the agent changes then', () => {
    const steps = [
      write('a.ts', body(3), tree('zero', 'one', ['/app/a.ts'])),
      write('b.ts', body(3), tree('one', 'two', ['/app/a.ts', '/app/b.ts'])),
      bash('ls', '', { tree: tree('two', 'two', null) }),
    ]
    expect(isWhole(tracked(steps.slice(0, 1)), 'a.ts')).toBe(true)
    const tracker = tracked(steps)
    expect([isWhole(tracker, 'a.ts'), isWhole(tracker, 'b.ts')]).toEqual([false, false])
  })

  it('do not take a failed change for one of the agent', () => {
    const failing = { ...edit('a.ts', 'no such text', 'x'), fails: true }
    const steps = [
      write('a.ts', body(3), tree('zero', 'one', ['/app/a.ts'])),
      { ...failing, tree: tree('one', 'two', ['/app/a.ts']) },
      bash('ls', '', { tree: tree('two', 'two', null) }),
    ]
    expect(isWhole(tracked(steps), 'a.ts')).toBe(false)
  })
})

describe('a formatter', () => {
  it('may rewrap what was written, and with it move what follows', () => {
    const tracker = tracked([
      read('a.ts', body(12)),
      edit('a.ts', 'const name5 = call(5)', 'const five = call(5)'),
      bash('npm run lint:fix'),
    ])
    expect(known(tracker, 'a.ts')).toEqual([...body(2), ...Array.from({ length: 10 }, () => null)])
  })

  it('of Go moves nothing, and changes only columns', () => {
    const lines = [
      'func f() {',
      '\tstart()',
      '}',
      '',
      'var x = 1',
      '',
      'type t struct {',
      '\ta int',
      '}',
    ]
    const tracker = tracked([
      read('a.go', lines),
      edit('a.go', '\tstart()', '\tbegin()\n\tgo_on()'),
      edit('a.go', '\ta int', '\ta int\n\tlonger string'),
      bash('go fmt ./...'),
    ])
    expect(known(tracker, 'a.go').slice(0, 11)).toEqual([
      'func f() {',
      '\tbegin()',
      '\tgo_on()',
      ...lines.slice(2, 7),
      null,
      null,
      '}',
    ])
  })

  const clean = 'Checked 3 files in 9ms. No fixes applied.'

  it('that found no fault leaves everything as it is, also when the user pauses', () => {
    const steps = [write('a.ts', body(3)), bash('npm run lint', clean)]
    expect(isWhole(tracked([...steps, bash('npm run lint:fix')]), 'a.ts')).toBe(true)
    const pause = { user: 'and now?', afterMs: 900_000 }
    expect(isWhole(tracked([...steps, pause]), 'a.ts')).toBe(true)
    expect(isWhole(tracked([steps[0] as Step, pause]), 'a.ts')).toBe(false)
  })

  it('does what it said that it would do', () => {
    const report = [
      `a.ts format ${'━'.repeat(20)}`,
      '',
      '  × Formatter would have printed the following content:',
      '  ',
      '     1   1 │   const name1 = call(1)',
      '     2     │ - const·name2·=·call(2)',
      '         2 │ + const·name2·=',
      '         3 │ + ··call(2)',
      '     3   4 │   const name3 = call(3)',
      '  ',
      '',
      `${clean}`,
      'Found 1 error.',
    ].join('\n')
    const fixed = 'Checked 3 files in 9ms. Fixed 1 file.'
    const steps = [
      write('a.ts', body(3)),
      write('b.ts', body(3)),
      bash('npm run lint', `Exit code 1\n${report}`, { fails: true }),
    ]
    const tracker = tracked([...steps, bash('npm run lint:fix', fixed)])
    const text = 'const name1 = call(1)\nconst name2 =\n  call(2)\nconst name3 = call(3)\n'
    expect(tracker.current('/app/a.ts').text).toBe(text)
    expect(isWhole(tracker, 'b.ts')).toBe(true)
    const changed = tracked([
      ...steps,
      edit('a.ts', 'call(1)', 'call(one)'),
      bash('npm run lint:fix', fixed),
    ])
    expect(isWhole(changed, 'a.ts')).toBe(false)
  })

  it('that names what it rewrote left the rest alone', () => {
    const said = 'reformatted a.py\n\n1 file reformatted, 1 file left unchanged.'
    const tracker = tracked([write('a.py', body(3)), write('b.py', body(3)), bash('black .', said)])
    expect([isWhole(tracker, 'a.py'), isWhole(tracker, 'b.py')]).toEqual([false, true])
  })

  it('that went over one file has gone over the others, but for what was seen since', () => {
    const steps: readonly Told[] = [
      ...['a.ts', 'b.ts', 'c.ts'].map((name) => write(name, body(3))),
      bash('npm run lint', clean),
      { user: 'and now?', afterMs: 900_000 },
      read('c.ts', body(3)),
    ]
    expect(isWhole(tracked(steps), 'b.ts')).toBe(true)
    const tracker = tracked([...steps, read('a.ts', ['const name1 =', '  call(1)'])])
    expect([isWhole(tracker, 'b.ts'), known(tracker, 'c.ts')[2]]).toEqual([false, body(3)[2]])
  })
})

describe('a call that takes long', () => {
  it('may have waited for a user who went over what was written', () => {
    const steps = (ms: number): readonly Told[] => [
      write('a.ts', body(3)),
      bash('npm test', 'ok', { ms }),
    ]
    expect([
      isWhole(tracked(steps(5000)), 'a.ts'),
      isWhole(tracked(steps(400_000)), 'a.ts'),
    ]).toEqual([true, false])
  })
})

describe('an edit that was done', () => {
  it('proves lines in doubt that its text holds whole, next to a certain one', () => {
    const lines = body(12)
    const steps = [
      read('a.ts', lines),
      edit('a.ts', lines[4] as string, 'const five = 5'),
      bash('npm run lint:fix'),
      read('a.ts', lines.slice(0, 4)),
      edit('a.ts', [...lines.slice(3, 4), 'const five = 5'].join('\n'), 'const both = 9'),
    ]
    expect(known(tracked(steps), 'a.ts').slice(0, 4)).toEqual([
      ...lines.slice(0, 3),
      'const both = 9',
    ])
  })
})

describe('a user who changed something by hand', () => {
  const files: readonly Told[] = [
    read('old.ts', body(9)),
    { user: 'and now the other one', afterMs: 1000 },
    read('new.ts', body(9)),
  ]

  it('means the files that were talked about since they last spoke', () => {
    const tracker = tracked([...files, { user: 'I removed the call by hand', afterMs: 1000 }])
    expect([known(tracker, 'old.ts')[0], known(tracker, 'new.ts')[0]]).toEqual([body(9)[0], null])
  })

  it('means a file that they name', () => {
    const tracker = tracked([...files, { user: 'I edited old.ts too', afterMs: 1000 }])
    expect([known(tracker, 'old.ts')[0], known(tracker, 'new.ts')[0]]).toEqual([null, null])
  })

  it('may mean any file when nothing was talked about', () => {
    const remarks = ['good', 'I changed the rest'].map((user) => ({ user, afterMs: 1000 }))
    const tracker = tracked([...files, ...remarks])
    expect([known(tracker, 'old.ts')[0], known(tracker, 'new.ts')[0]]).toEqual([null, null])
  })
})

describe('a user who left', () => {
  const left: Told = { user: '<command-name>/exit</command-name>', afterMs: 1000 }
  const files: readonly Told[] = ['a.ts', 'b.ts'].map((name) => read(name, body(9)))

  it('may have changed anything, until the first file that is read again is as it was', () => {
    const away = tracked([...files, left])
    expect([known(away, 'a.ts')[0], known(away, 'b.ts')[0]]).toEqual([null, null])
    const back = tracked([...files, left, read('a.ts', body(9))])
    expect(known(back, 'b.ts').slice(0, 9)).toEqual(body(9))
  })

  it('changed things when the first file that is read again is other than it was', () => {
    const other = read('a.ts', ['// by hand', ...body(8)])
    const tracker = tracked([...files, left, other, read('a.ts', ['// by hand', ...body(8)])])
    expect(known(tracker, 'b.ts')[0]).toBe(null)
  })

  it('says nothing about what was known at a turn before the file was read again', () => {
    const tracker = tracked([...files, left, bash('pwd', '/app'), read('a.ts', body(9))])
    const at = (turn: number): string | null => certainLine(tracker.stateAt('/app/b.ts', turn), 1)
    expect([at(2), at(3), at(4)]).toEqual([body(9)[0], null, body(9)[0]])
  })
})

describe("an agent's reminder that a file was modified", () => {
  const note = (name: string, shown: string): string =>
    `<system-reminder>\nNote: /app/${name} was modified, either by the user or by a linter. This change was intentional. Here are the relevant changes (shown with line numbers):\n${shown}\n</system-reminder>`

  it('puts the file in doubt', () => {
    const told: Told = {
      user: note('a.ts', '     2→const two = 2\n     3→const three = 3'),
      afterMs: 5,
    }
    const tracker = tracked([read('a.ts', body(9)), read('b.ts', body(9)), told])
    expect(known(tracker, 'a.ts').slice(0, 4)).toEqual([null, null, null, null])
    expect(known(tracker, 'b.ts')[0]).toBe(body(9)[0])
  })

  it('is heard behind a result too', () => {
    const tracker = tracked([
      read('a.ts', body(9)),
      bash('pwd', `/app\n\n${note('a.ts', '     1→const one = 1')}`),
    ])
    expect(known(tracker, 'a.ts').slice(0, 2)).toEqual([null, null])
  })

  it('is no reminder where a command prints the same words', () => {
    const printed = bash('cat notes.md', `${note('a.ts', '     1→x')}\nthat is how it looks`)
    const tracker = tracked([read('a.ts', body(9)), printed])
    expect(known(tracker, 'a.ts')[0]).toBe(body(9)[0])
  })
})

describe('what a client trimmed before it added a reminder', () => {
  const indented = ['\t\tfirst()', ...body(10), 'last()  ']
  const printed = (lines: readonly string[]): Step =>
    bash(
      'cat a.ts',
      `${lines.join('\n').trim()}\n\n<system-reminder>\n<total_tokens>9 tokens left</total_tokens>\n</system-reminder>`,
    )

  it('is the line that was known, where only blanks are missing', () => {
    const tracker = tracked([write('a.ts', indented), printed(indented)])
    expect(tracker.current('/app/a.ts')).toMatchObject({ version: 1, complete: true })
    expect(certainLine(tracker.current('/app/a.ts'), 1)).toBe('\t\tfirst()')
    expect(certainLine(tracker.current('/app/a.ts'), 12)).toBe('last()  ')
  })

  it('is another line, where more is different', () => {
    const changed = ['\t\tother()', ...indented.slice(1)]
    const state = tracked([write('a.ts', indented), printed(changed)]).current('/app/a.ts')
    expect(certainLine(state, 1)).toBe('other()')
    expect(state.version).toBe(2)
  })
})
