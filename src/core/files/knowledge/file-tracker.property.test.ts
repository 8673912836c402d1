import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operation } from '../../../../test/core/observed-operation.ts'
import type { Action, TextEdit } from '../../words/action.ts'
import type { FileLines } from '../../words/reading.ts'
import { createFileTracker, type FileState, type FileTracker } from '../index.ts'

const path = '/project/file.txt'

/** Texts that repeat, so that places are ambiguous as they are in real files. */
const word = fc.constantFrom('a', 'b', 'same', 'same', '  same', '', '}', 'x = 1', 'x = 2', 'y')
const fileText = fc
  .tuple(fc.array(word, { maxLength: 14 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''))
const piece = fc.array(word, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      from: fc.nat(16),
      size: fc.nat(9),
      tool: fc.constantFrom('Splits', 'Lines'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('whole' as const),
      tool: fc.constantFrom('Splits', 'Lines', 'cat'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      at: fc.nat(60),
      length: fc.integer({ min: 1, max: 14 }),
      text: piece,
      all: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('insert' as const), after: fc.nat(14), text: piece }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('lines' as const),
      from: fc.nat(12),
      size: fc.integer({ min: 1, max: 3 }),
      text: piece,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      from: fc.nat(12),
      size: fc.integer({ min: 1, max: 3 }),
      text: piece,
      numbered: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('write' as const), text: fileText }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('append' as const), text: fileText }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unknown' as const), text: fileText }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const), text: fileText }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('undo' as const, 'delete' as const, 'move' as const),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** The file as it really is, changed without any of the tracker's ideas. */
interface Truth {
  text: string | null
  readonly before: (string | null)[]
}

const linesOf = (text: string): string[] => text.split('\n')
const shell = {
  kind: 'shell',
  command: 'run',
  workdir: null,
  query: null,
  continues: false,
} as const

function perform(truth: Truth, tracker: FileTracker, step: Step): void {
  const say = (action: Action, lines: FileLines | null = null, body = '', tool = 'Tool'): void =>
    tracker.observe(operation({ action, lines, body, tool }))
  const edited = (edit: TextEdit, text: string): void => {
    truth.before.push(truth.text)
    truth.text = text
    say({ kind: 'edit', path, edits: [edit] })
  }
  const { text } = truth
  if (step.kind === 'write') {
    truth.before.push(text)
    truth.text = step.text
    say({ kind: 'write', path, content: step.text })
    return
  }
  if (step.kind === 'unknown' || step.kind === 'change') {
    truth.text = step.text
    const change = step.kind === 'unknown' ? { kind: step.kind } : { kind: step.kind, path }
    say({ ...shell, reads: [], changes: [change] })
    return
  }
  if (text === null) return
  const lines = linesOf(text)
  const counted = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  switch (step.kind) {
    case 'read': {
      const shown = step.tool === 'Splits' ? lines : counted
      const range = { start: step.from + 1, end: step.from + step.size + 1 }
      const part = shown.slice(step.from, step.from + step.size + 1)
      // A tool that hides the empty last line cannot be told from one that shows it when a file ends with two.
      if (step.tool === 'Lines' && counted.at(-1) === '') return
      const read = { first: range.start, lines: part }
      say({ kind: 'read', path, lines: range }, part.length === 0 ? null : read, '', step.tool)
      return
    }
    case 'whole': {
      if (step.tool === 'cat') {
        const reads = [{ path, lines: { start: 1, end: null }, exact: true, numbered: false }]
        const shown = text === '' ? [] : counted
        say({ ...shell, reads, changes: [] }, { first: 1, lines: shown }, text)
        return
      }
      if (step.tool === 'Lines' && counted.at(-1) === '') return
      const shown = step.tool === 'Splits' ? lines : counted
      say({ kind: 'read', path, lines: null }, { first: 1, lines: shown }, '', step.tool)
      return
    }
    case 'replace': {
      const oldText = text.slice(step.at, step.at + step.length)
      const times = oldText === '' ? 0 : text.split(oldText).length - 1
      if (times === 0 || (times > 1 && !step.all) || overlaps(text, oldText)) return
      const edit = { kind: 'replace', oldText, newText: step.text, all: step.all } as const
      edited(edit, text.split(oldText).join(step.text))
      return
    }
    case 'insert': {
      if (step.after > counted.length) return
      const after = [
        ...lines.slice(0, step.after),
        ...linesOf(step.text),
        ...lines.slice(step.after),
      ]
      if (step.text.endsWith('\n')) return
      edited({ kind: 'insert', afterLine: step.after, text: step.text }, after.join('\n'))
      return
    }
    case 'lines': {
      const end = step.from + step.size
      if (end > counted.length || step.text === '' || step.text.endsWith('\n')) return
      const after = [...lines.slice(0, step.from), ...linesOf(step.text), ...lines.slice(end)]
      const range = { start: step.from + 1, end }
      edited({ kind: 'lines', lines: range, text: step.text }, after.join('\n'))
      return
    }
    case 'patch': {
      const old = counted.slice(step.from, step.from + step.size)
      if (old.length < step.size || old.at(-1) === '') return
      const first = counted.findIndex((_, at) => old.every((each, by) => counted[at + by] === each))
      const last = counted.findLastIndex((_, at) =>
        old.every((each, by) => counted[at + by] === each),
      )
      // Without a number, a hunk names one place.
      if (!step.numbered && first !== last) return
      const after = [
        ...lines.slice(0, step.from),
        ...linesOf(step.text),
        ...lines.slice(step.from + step.size),
      ]
      truth.text = after.join('\n')
      const signed = [
        ...old.map((each) => ({ sign: '-' as const, text: each })),
        ...linesOf(step.text).map((each) => ({ sign: '+' as const, text: each })),
      ]
      const hunk = { heading: '', oldStart: step.numbered ? step.from + 1 : null, lines: signed }
      const file = { op: 'update', path, movedTo: null, hunks: [hunk] } as const
      say({ kind: 'patch', files: [file] })
      return
    }
    case 'append':
      truth.text = text + step.text
      say({
        ...shell,
        reads: [],
        changes: [{ kind: 'write', path, content: step.text, append: true }],
      })
      return
    case 'undo':
      if (typeof truth.before.at(-1) !== 'string') return
      truth.text = truth.before.pop() ?? null
      say({ kind: 'edit', path, edits: [{ kind: 'undo' }] })
      return
    case 'delete':
      truth.text = null
      say({ ...shell, reads: [], changes: [{ kind: 'delete', path }] })
      return
    case 'move':
      say({
        ...shell,
        reads: [],
        changes: [
          { kind: 'move', path, to: `${path}2` },
          { kind: 'move', path: `${path}2`, to: path },
        ],
      })
      return
  }
}

function overlaps(text: string, part: string): boolean {
  return (
    text.indexOf(part, text.indexOf(part) + 1) < text.indexOf(part) + part.length &&
    text.indexOf(part, text.indexOf(part) + 1) !== -1
  )
}

/** What a state claims and what is not so. */
function wrongClaims(state: FileState, truth: string | null): readonly string[] {
  const wrong: string[] = []
  if (truth === null) return state.exists === true ? ['exists'] : []
  const lines = linesOf(truth)
  for (const segment of state.segments) {
    if (segment.kind === 'gap' || segment.first === null) continue
    for (const [index, line] of segment.lines.entries()) {
      const at = segment.first + index
      if (line.certain && lines[at - 1] !== line.text) wrong.push(`${at}: ${line.text}`)
    }
  }
  if (state.lineCount !== null && state.lineCount !== lines.length) wrong.push('count')
  if (state.text !== null && state.lineCount !== null && state.text !== truth) wrong.push('text')
  if (state.text !== null && state.text.trimEnd() !== truth.trimEnd())
    wrong.push('text but its end')
  return wrong
}

describe('a file that is really changed', () => {
  it('is never claimed to be what it is not', () => {
    fc.assert(
      fc.property(fileText, fc.array(step, { minLength: 1, maxLength: 25 }), (text, steps) => {
        const truth: Truth = { text, before: [] }
        const tracker = createFileTracker()
        for (const each of steps) {
          perform(truth, tracker, each)
          expect(wrongClaims(tracker.current(path), truth.text)).toEqual([])
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('is known whole for as long as everything that happens to it is known', () => {
    const known = step.filter(({ kind }) =>
      ['replace', 'insert', 'lines', 'write', 'append', 'move'].includes(kind),
    )
    fc.assert(
      fc.property(fileText, fc.array(known, { maxLength: 25 }), (text, steps) => {
        const truth: Truth = { text: null, before: [] }
        const tracker = createFileTracker()
        for (const each of [{ kind: 'write' as const, text }, ...steps]) {
          perform(truth, tracker, each)
          expect(tracker.current(path).text).toBe(truth.text)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
