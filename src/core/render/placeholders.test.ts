import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleOperation } from '../../../test/core/sample-operation.ts'
import type { Action, ShellAction } from '../words/action.ts'
import { describeOperation } from './describe-operation.ts'
import { placeholderFor, pointerTo, purgedError, rereadPointer } from './placeholders.ts'

const long = 'x'.repeat(500)
const restore = 'context_restore'
const recall = { handle: 'a1b2c3', restore }
const read = (path: string): Action => ({ kind: 'read', path, lines: null })
const shell = (command: string): ShellAction => ({
  kind: 'shell',
  command,
  workdir: null,
  reads: [],
  changes: [],
  query: null,
  continues: false,
})
const edit = sampleOperation({ action: { kind: 'edit', path: 'src/app.ts', edits: [] }, turn: 14 })

describe('describeOperation', () => {
  const cases: readonly (readonly [Action, string])[] = [
    [{ kind: 'read', path: 'a.ts', lines: { start: 5, end: 9 } }, 'read a.ts lines 5–9'],
    [{ kind: 'read', path: 'a.ts', lines: { start: 5, end: 5 } }, 'read a.ts line 5'],
    [{ kind: 'read', path: 'a.ts', lines: { start: 5, end: null } }, 'read a.ts from line 5'],
    [{ kind: 'write', path: 'a.ts', content: 'x' }, 'write a.ts'],
    [{ kind: 'edit', path: '', edits: [] }, 'edit the open file'],
    [{ kind: 'edit', path: 'a.ts', edits: [] }, 'edit a.ts'],
    [
      {
        kind: 'patch',
        files: [
          { op: 'delete', path: 'a.ts' },
          { op: 'delete', path: 'b.ts' },
          { op: 'delete', path: 'c.ts' },
        ],
      },
      'patch a.ts and 2 more',
    ],
    [shell('npm\n  test'), '$ npm test'],
    [{ ...shell(''), continues: true }, 'command output'],
    [{ kind: 'search', pattern: 'TODO', path: 'src', include: '*.ts' }, 'search TODO in src'],
    [{ kind: 'glob', pattern: '*', path: 'src' }, 'list src'],
    [{ kind: 'glob', pattern: '**/*.ts', path: null }, 'find **/*.ts'],
    [{ kind: 'fetch', url: 'https://example.org/a', query: null }, 'fetch https://example.org/a'],
    [{ kind: 'fetch', url: null, query: 'how to' }, 'web search how to'],
    [{ kind: 'list', op: 'write', tasks: [] }, 'task list'],
    [{ kind: 'task', description: 'look around', prompt: 'p' }, 'task look around'],
    [{ kind: 'other' }, 'tool'],
  ]
  it.each(cases)('says what %j is about', (action, words) => {
    expect(describeOperation(sampleOperation({ action }))).toBe(words)
  })

  it('says which lines a read without a range has shown', () => {
    const operation = sampleOperation({
      action: read('src/app.ts'),
      lines: { first: 1, lines: Array.from({ length: 120 }, () => '') },
    })
    expect(describeOperation(operation)).toBe('read src/app.ts lines 1–120')
  })

  it('never cuts a path, in a command neither', () => {
    const path = `packages/${'deep/'.repeat(40)}file.ts`
    expect(describeOperation(sampleOperation({ action: read(path) }))).toBe(`read ${path}`)
    const command = (first: string): string =>
      describeOperation(sampleOperation({ action: shell(`${first} ${path} --all`) }))
    expect(command('wc')).toBe(`$ wc ${path} …`)
    expect(command(path)).toBe(`$ ${path} …`)
  })

  it.each([
    ['src/app.ts', 'src/app.ts'],
    ['./src/app.ts', './src/app.ts'],
    ['../p/src/app.ts', '../p/src/app.ts'],
    ['/home/u/p/src/app.ts', '/home/u/p/src/app.ts'],
    ['app.ts', 'app.ts'],
    ['lib/app.ts', '/home/u/p/src/app.ts'],
  ])('has a path as the agent wrote it: %s', (written, words) => {
    const sample = sampleOperation({ action: read('/home/u/p/src/app.ts') })
    const call = { ...sample.call, text: JSON.stringify({ note: 'xsrc/app.ts', path: written }) }
    expect(describeOperation({ ...sample, call })).toBe(`read ${words}`)
  })
})

describe('placeholderFor', () => {
  it('says what was there, what replaced it and how to get it back', () => {
    const operation = sampleOperation({
      action: read('src/app.ts'),
      output: long,
      lines: { first: 1, lines: Array.from({ length: 120 }, () => '') },
    })
    expect(placeholderFor(operation, edit, 'file', recall)).toBe(
      '[read src/app.ts lines 1–120 · replaced by a later edit · context_restore a1b2c3]',
    )
  })

  it('has the handle alone where nothing brings originals back, and any command that does', () => {
    const operation = sampleOperation({ action: shell('ls'), output: long })
    const worded = (by: string | null): string =>
      placeholderFor(operation, edit, 'hash', { handle: 'a1b2c3', restore: by })
    expect(worded(null)).toBe('[$ ls · repeated later · a1b2c3]')
    expect(worded("'/home/a b/restore'")).toBe(
      "[$ ls · repeated later · '/home/a b/restore' a1b2c3]",
    )
  })

  it.each([
    ['hash', 'repeated later'],
    ['todo', 'replaced by a later edit'],
    ['url', 'fetched again later'],
    ['search', 'repeated later'],
    ['query', 'repeated later'],
    ['snapshot', 'replaced by a later edit'],
    ['retry', 'succeeded later'],
  ] as const)('says why for %s', (reason, why) => {
    const operation = sampleOperation({ action: shell('ls'), output: long })
    expect(placeholderFor(operation, edit, reason, recall)).toBe(
      `[$ ls · ${why} · context_restore a1b2c3]`,
    )
  })

  it('finds shorter words for shorter results, down to the handle alone', () => {
    const forms = [66, 52, 40, 25, 12].map((length) => {
      const output = 'x'.repeat(length)
      const operation = sampleOperation({ action: read('a.ts'), output })
      return placeholderFor(operation, edit, 'file', recall)
    })
    expect(forms).toEqual([
      '[read a.ts · replaced by a later edit · context_restore a1b2c3]',
      '[replaced by a later edit · context_restore a1b2c3]',
      '[replaced · context_restore a1b2c3]',
      '[replaced · a1b2c3]',
      '[a1b2c3]',
    ])
  })

  it('is one line, never empty, and shorter than all but the shortest results', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 })
    fc.assert(
      fc.property(text, text, fc.string({ maxLength: 200 }), (path, command, output) => {
        for (const action of [read(path), shell(command)]) {
          const operation = sampleOperation({ action, output })
          const placeholder = placeholderFor(operation, edit, 'file', recall)
          expect(placeholder).toMatch(/^\[[^\n\r]*a1b2c3\]$/)
          if (output.length > 8) expect(placeholder.length).toBeLessThan(output.length)
          expect(placeholder).not.toMatch(/\p{Surrogate}/u)
        }
      }),
    )
  })
})

describe('pointers', () => {
  it('have the words of the smart tool history, and the handle', () => {
    expect(rereadPointer('config.py', long, recall)).toBe(
      '[Re-read of config.py - see earlier read for content] [context_restore a1b2c3]',
    )
    expect(rereadPointer('config.py', 'short', recall)).toBeNull()
  })

  it('name the earlier result that says the same', () => {
    const earlier = sampleOperation({ action: shell('git status'), turn: 3 })
    const handle = earlier.result?.handle
    expect(pointerTo(earlier, { text: long, handle: 'd4e5f6' }, restore)).toBe(
      `[same output as in \`git status\` above, result ${handle} · context_restore d4e5f6]`,
    )
    expect(pointerTo(earlier, { text: long, handle: 'd4e5f6', isFile: true }, restore)).toBe(
      `[same file lines as in \`git status\` above, result ${handle} · context_restore d4e5f6]`,
    )
    expect(pointerTo(earlier, { text: 'clean', handle: 'a1b2c3' }, restore)).toBeNull()
  })
})

describe('purgedError', () => {
  const editing: Action = { kind: 'edit', path: 'src/app.ts', edits: [] }
  const failed = (output: string, action: Action = editing): string | null =>
    purgedError(sampleOperation({ action, output, status: 'error' }), restore)

  it('keeps what failed and the first line of the error', () => {
    expect(failed(`\n  old_string not found\n${long}`)).toBe(
      '[edit src/app.ts · failed: old_string not found · context_restore a1b2c3]',
    )
  })

  it('tells of a command the first line and what failed', () => {
    const checking = `Exit code 2\nchecking\nsrc/a.ts(1,7): error TS2322: no\n${long}`
    expect(failed(checking, shell('tsc'))).toBe(
      '[$ tsc · failed: Exit code 2 … src/a.ts(1,7): error TS2322: no · context_restore a1b2c3]',
    )
    expect(failed(`Exit code 1\nnothing found\n${long}`, shell('find'))).toBe(
      '[$ find · failed: Exit code 1 … nothing found · context_restore a1b2c3]',
    )
    expect(failed(`error: no such thing\nmore\n${long}`, shell('find'))).toBe(
      '[$ find · failed: error: no such thing · context_restore a1b2c3]',
    )
  })

  it('takes the tags of an agent off', () => {
    expect(failed(`<tool_use_error>String not found.</tool_use_error>${'\n'.repeat(200)}`)).toBe(
      '[edit src/app.ts · failed: String not found. · context_restore a1b2c3]',
    )
  })

  it('leaves an error alone that is no longer than that', () => {
    expect(failed('old_string not found')).toBeNull()
  })
})
