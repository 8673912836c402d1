import { describe, expect, it } from 'vitest'
import type { LineCommand } from '../../../core/words/action.ts'
import { readLineCommands } from './sed-commands.ts'

const gnu = { extended: false, bsd: false }
const numbers = (from: number, to = from): LineCommand['on'] => ({ kind: 'numbers', from, to })
const all: LineCommand['on'] = { kind: 'all' }
const put = (pattern: string, replacement: string, flags = ''): LineCommand['does'] => ({
  kind: 'substitute',
  pattern,
  flags,
  replacement,
})

const TABLE: readonly (readonly [string, readonly LineCommand[]])[] = [
  ['5d', [{ on: numbers(5), does: { kind: 'delete' } }]],
  ['5,9d', [{ on: numbers(5, 9), does: { kind: 'delete' } }]],
  ['5,+2d', [{ on: numbers(5, 7), does: { kind: 'delete' } }]],
  [
    '3d;7d',
    [
      { on: numbers(3), does: { kind: 'delete' } },
      { on: numbers(7), does: { kind: 'delete' } },
    ],
  ],
  ['s/a/b/g', [{ on: all, does: put('a', 'b', 'g') }]],
  ['12s/a(b)/c/', [{ on: numbers(12), does: put('a\\(b\\)', 'c') }]],
  ['s|a/b|c/d|', [{ on: all, does: put('a\\/b', 'c/d') }]],
  [String.raw`s/\(x\)\1/<\1&$>/I`, [{ on: all, does: put('(x)\\1', '<$1$&$$>', 'i') }]],
  [String.raw`s/a/b\nc\td/`, [{ on: all, does: put('a', 'b\nc\td') }]],
  ['s/^[[:space:]]*x$/y/', [{ on: all, does: put('^[\\s]*x$', 'y') }]],
  ['/TODO/d', [{ on: { kind: 'pattern', pattern: 'TODO', flags: '' }, does: { kind: 'delete' } }]],
  ['4a\\    x = 1', [{ on: numbers(4), does: { kind: 'append', lines: ['    x = 1'] } }]],
  [
    '4i\\\n  one\\\n  two',
    [{ on: numbers(4), does: { kind: 'insert', lines: ['  one', '  two'] } }],
  ],
  ['4c new', [{ on: numbers(4), does: { kind: 'change', lines: ['new'] } }]],
  ['4r part.py', [{ on: numbers(4), does: { kind: 'read', path: 'part.py' } }]],
]

describe("a sed script as a line editor's commands", () => {
  it.each(TABLE)('%s', (script, commands) => {
    expect(readLineCommands([script], gnu)).toEqual(commands)
  })

  it.each([
    '$d',
    '/a/,/b/d',
    '5!d',
    '0~2d',
    's/a/b/2',
    's/a/b/p',
    's/a/b/w out',
    String.raw`s/a\|b/c/`,
    String.raw`s/a/\U&/`,
    's//b/',
    'N;s/a/b/',
    '/a/{d}',
    'y/a/b/',
    '5q',
    's/a/b',
    '2,4c text',
  ])('is not understood in part: %s', (script) => {
    expect(readLineCommands([script, '5d'], gnu)).toBeNull()
  })

  it('knows where the two kinds of expressions and of sed differ', () => {
    expect(readLineCommands(['s/(a)+/b/'], { ...gnu, extended: true })).toEqual([
      { on: all, does: put('(a)+', 'b') },
    ])
    expect(readLineCommands(['s/(a|b)/c/'], { ...gnu, extended: true })).toBeNull()
    const bsd = { extended: false, bsd: true }
    for (const script of [
      String.raw`s/a\+/b/`,
      String.raw`s/a/b\nc/`,
      '4a\\text',
      String.raw`s/\bx/y/`,
    ]) {
      expect(readLineCommands([script], bsd)).toBeNull()
    }
  })
})
