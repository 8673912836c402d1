import { describe, expect, it } from 'vitest'
import type { Action } from '../core/words/action.ts'
import { actionOf } from './index.ts'

const act = (tool: string, input: unknown): Action =>
  actionOf({ tool, text: typeof input === 'string' ? input : JSON.stringify(input) })

const replace = (oldText: string, newText: string, all = false) =>
  ({ kind: 'replace', oldText, newText, all }) as const

const other: Action = { kind: 'other' }

describe.each(['str_replace_editor', 'str_replace_based_edit_tool'])('%s', (tool) => {
  it('reads each of its commands', () => {
    expect(act(tool, { command: 'view', path: '/a', view_range: [2, 9] })).toEqual({
      kind: 'read',
      path: '/a',
      lines: { start: 2, end: 9 },
    })
    expect(act(tool, { command: 'view', path: '/src/' })).toEqual({
      kind: 'glob',
      pattern: '*',
      path: '/src/',
    })
    expect(act(tool, { command: 'create', path: '/a', file_text: 't' })).toEqual({
      kind: 'write',
      path: '/a',
      content: 't',
    })
    expect(act(tool, { command: 'str_replace', path: '/a', old_str: 'x' })).toEqual({
      kind: 'edit',
      path: '/a',
      edits: [replace('x', '')],
    })
    expect(act(tool, { command: 'insert', path: '/a', insert_line: 0, insert_text: 't' })).toEqual({
      kind: 'edit',
      path: '/a',
      edits: [{ kind: 'insert', afterLine: 0, text: 't' }],
    })
    expect(act(tool, { command: 'undo_edit', path: '/a' })).toEqual({
      kind: 'edit',
      path: '/a',
      edits: [{ kind: 'undo' }],
    })
    expect(act(tool, { command: 'fly', path: '/a' })).toEqual(other)
  })
})
