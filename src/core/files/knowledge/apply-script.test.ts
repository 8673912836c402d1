import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operation } from '../../../../test/core/observed-operation.ts'
import { parseShell } from '../../../actions/shell/index.ts'
import type { ShellAction } from '../../words/action.ts'
import { certainLine, createFileTracker, type FileTracker } from '../index.ts'

const path = 'a.py'

function run(tracker: FileTracker, command: string): void {
  const { reads, changes, query } = parseShell(command)
  const rest = { workdir: null, continues: false, query }
  const action: ShellAction = { kind: 'shell', command, reads, changes, ...rest }
  tracker.observe(operation({ action, exitCode: 0 }))
}

function written(text: string): FileTracker {
  const tracker = createFileTracker()
  tracker.observe(operation({ action: { kind: 'write', path, content: text } }))
  return tracker
}

function seen(first: number, lines: readonly string[]): FileTracker {
  const tracker = createFileTracker()
  const end = first + lines.length - 1
  const action = { kind: 'read', path, lines: { start: first, end } } as const
  tracker.observe(operation({ action, lines: { first, lines: [...lines] } }))
  return tracker
}

const linesOf = (tracker: FileTracker, count: number): readonly (string | null)[] =>
  Array.from({ length: count }, (_, at) => certainLine(tracker.current(path), at + 1))

const hasSed = spawnSync('sed', ['--version']).stdout?.toString().includes('GNU') === true

const place = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 9 }).map(String),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 9 }))
    .map(([a, b]) => `${a},${b}`),
  fc.constantFrom('/b/', '/^a/', '/x = [12]/', '/\\.$/'),
)
const deed = fc.oneof(
  fc.constantFrom('d', 's/a/b/', 's/a/&&/g', 's/x = \\([0-9]\\)/y[\\1]/', 's/^/# /', 's/ *$/;/'),
  fc.constantFrom('s/b/one\\ntwo/', 's/[^ab]*b/<&>/', 'a\\  added', 'i\\  put before', 's/(/[/'),
)
const script = fc
  .array(
    fc.tuple(place, deed).map((parts) => parts.join('')),
    { minLength: 1, maxLength: 2 },
  )
  .filter((commands) => commands.slice(0, -1).every((command) => !/[ai]\\/.test(command)))
  .map((commands) => commands.join(';'))
const text = fc
  .array(fc.constantFrom('a', 'b', 'ab a', 'x = 1', '', '  b.', 'call(a)'), { maxLength: 8 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''))

describe.skipIf(!hasSed)('a script over a file whose text is known [needs GNU sed]', () => {
  it('leaves what sed leaves', () => {
    fc.assert(
      fc.property(text, script, (before, commands) => {
        const tracker = written(before)
        run(tracker, `sed -i '${commands}' a.py`)
        const after = spawnSync('sed', [commands], { input: before }).stdout.toString()
        expect(tracker.current(path).text).toBe(after)
      }),
      { numRuns: 100 },
    )
  })
})

describe('a script over a file of which a part is known', () => {
  const part = ['five', 'six', 'seven']

  it('moves what stands behind the lines that it removes or adds', () => {
    const tracker = seen(5, part)
    run(tracker, "sed -i '2,3d' a.py && sed -i '5a\\after seven' a.py")
    expect(linesOf(tracker, 7)).toEqual([null, null, 'five', 'six', 'seven', 'after seven', null])
  })

  it('changes the known lines, and none of the numbers where it keeps their count', () => {
    const tracker = seen(5, part)
    run(tracker, "sed -i 's/se/SE/' a.py")
    expect(linesOf(tracker, 8)).toEqual([null, null, null, null, 'five', 'six', 'SEven', null])
  })

  it('knows no place any more when lines that nobody knows may have gone', () => {
    const tracker = seen(5, part)
    run(tracker, "sed -i '/six/d' a.py")
    expect(linesOf(tracker, 8)).toEqual(Array.from({ length: 8 }, () => null))
    const texts = tracker
      .current(path)
      .segments.flatMap((segment) => (segment.kind === 'lines' ? segment.lines : []))
    expect(texts.map((line) => [line.text, line.certain])).toEqual([
      ['five', true],
      ['seven', true],
    ])
  })

  it('puts in the text of another file where that is known', () => {
    const tracker = seen(1, part)
    run(tracker, "printf 'new\\nlines\\n' > part.py")
    run(tracker, "sed -i '2r part.py' a.py")
    expect(linesOf(tracker, 5)).toEqual(['five', 'six', 'new', 'lines', 'seven'])
    run(tracker, "sed -i '1r unknown.py' a.py")
    expect(linesOf(tracker, 3)).toEqual(['five', null, null])
  })

  it('leaves all in doubt when it is not understood, or when it failed', () => {
    const tracker = seen(1, part)
    run(tracker, "sed -i '/six/,$d' a.py")
    expect(linesOf(tracker, 3)).toEqual([null, null, null])
    const failed = seen(1, part)
    const { changes } = parseShell("sed -i '1d' a.py")
    const rest = { workdir: null, continues: false, query: null, reads: [] }
    const action: ShellAction = { kind: 'shell', command: 'sed', changes, ...rest }
    failed.observe(operation({ action, exitCode: 1, status: 'error' }))
    expect(linesOf(failed, 3)).toEqual([null, null, null])
  })
})
