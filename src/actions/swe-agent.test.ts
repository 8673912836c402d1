import { describe, expect, it } from 'vitest'
import type { Action } from '../core/words/action.ts'
import { actionOf } from './index.ts'

const act = (text: string, tool = ''): Action => actionOf({ tool, text })

describe('SWE-agent', () => {
  it('opens files by name and moves in the open one', () => {
    expect(act('open "src/a b.py" 100')).toEqual({ kind: 'read', path: 'src/a b.py', lines: null })
    expect(act('goto 50')).toEqual({ kind: 'read', path: '', lines: null })
    expect(act('scroll_down')).toEqual({ kind: 'read', path: '', lines: null })
  })

  it('creates a file with one empty line', () => {
    expect(act('create a.py\n')).toEqual({ kind: 'write', path: 'a.py', content: '\n' })
  })

  it('replaces lines of the open file, whatever they hold', () => {
    expect(act('edit 10:12\nif a | b: "x\n\n  y > 3\nend_of_edit\n')).toEqual({
      kind: 'edit',
      path: '',
      edits: [{ kind: 'lines', lines: { start: 10, end: 12 }, text: 'if a | b: "x\n\n  y > 3' }],
    })
    const input = { start_line: 10, end_line: 12, replacement_text: 'x' }
    expect(act(JSON.stringify(input), 'edit')).toEqual({
      kind: 'edit',
      path: '',
      edits: [{ kind: 'lines', lines: { start: 10, end: 12 }, text: 'x' }],
    })
  })

  it('replaces text of the open file', () => {
    expect(act(`edit "a == \\"b\\"" 'c' replace-all`)).toEqual({
      kind: 'edit',
      path: '',
      edits: [{ kind: 'replace', oldText: 'a == "b"', newText: 'c', all: true }],
    })
  })

  it('inserts and searches', () => {
    expect(act('insert "x = 1" 7')).toEqual({
      kind: 'edit',
      path: '',
      edits: [{ kind: 'insert', afterLine: 7, text: 'x = 1' }],
    })
    expect(act('search_dir "def run" src')).toEqual({
      kind: 'search',
      pattern: 'def run',
      path: 'src',
      include: null,
    })
    expect(act('search_file run')).toEqual({
      kind: 'search',
      pattern: 'run',
      path: '',
      include: null,
    })
    expect(act('find_file a.py src')).toEqual({ kind: 'glob', pattern: 'a.py', path: 'src' })
  })

  it('takes the name of the tool from the call when the text does not repeat it', () => {
    expect(act('a.py 10', 'open')).toEqual({ kind: 'read', path: 'a.py', lines: null })
    expect(act('open a.py 10', 'open')).toEqual({ kind: 'read', path: 'a.py', lines: null })
  })

  it('spells the text-editor as a command line', () => {
    expect(act('str_replace_editor view /a.py --view_range 3 9')).toEqual({
      kind: 'read',
      path: '/a.py',
      lines: { start: 3, end: 9 },
    })
    expect(act(`str_replace_editor str_replace /a.py --old_str 'a\nb' --new_str 'c;d'`)).toEqual({
      kind: 'edit',
      path: '/a.py',
      edits: [{ kind: 'replace', oldText: 'a\nb', newText: 'c;d', all: false }],
    })
  })

  it('runs everything else in a shell', () => {
    expect(act('python a.py && echo done')).toMatchObject({
      kind: 'shell',
      command: 'python a.py && echo done',
    })
    expect(act('python a.py', 'python')).toMatchObject({ kind: 'shell', command: 'python a.py' })
    expect(act('ls', 'bash')).toMatchObject({ kind: 'shell', command: 'ls' })
    expect(act('submit')).toEqual({ kind: 'other' })
  })
})
