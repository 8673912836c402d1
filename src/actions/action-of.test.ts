import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Action } from '../core/words/action.ts'
import { actionOf } from './index.ts'

const act = (tool: string, input: unknown): Action =>
  actionOf({ tool, text: typeof input === 'string' ? input : JSON.stringify(input) })

const replace = (oldText: string, newText: string, all = false) =>
  ({ kind: 'replace', oldText, newText, all }) as const

const other: Action = { kind: 'other' }

describe('tools of MCP servers', () => {
  it('are read whatever the prefix', () => {
    const read = { kind: 'read', path: 'a', lines: null }
    for (const tool of [
      'mcp__filesystem__read_text_file',
      'filesystem_read_text_file',
      'filesystem.read_text_file',
      'mcp__my_server__read_file',
    ]) {
      expect(act(tool, { path: 'a' })).toEqual(read)
    }
    expect(act('mcp__fs__read_text_file', { path: 'a', head: 3 })).toEqual({
      ...read,
      lines: { start: 1, end: 3 },
    })
    expect(
      act('filesystem_edit_file', { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] }),
    ).toEqual({ kind: 'edit', path: 'a', edits: [replace('x', 'y')] })
    expect(act('mcp__filesystem__search_files', { path: '/p', pattern: '*.md' })).toEqual({
      kind: 'glob',
      pattern: '*.md',
      path: '/p',
    })
    expect(act('mcp__filesystem__write_file', { path: 'a', content: 'c' }).kind).toBe('write')
  })

  it('that work on somebody else’s repository touch no file here', () => {
    const input = { owner: 'o', repo: 'r', path: 'README.md' }
    expect(act('mcp__github__get_file_contents', input)).toEqual(other)
    expect(act('github_get_file_contents', input)).toEqual(other)
    expect(act('github_create_or_update_file', { ...input, content: 'c' })).toEqual(other)
  })
})

describe('tools of other servers', () => {
  it('are other when they only share a name with a file tool', () => {
    expect(act('mcp__jira__search', { query: 'bug' })).toEqual(other)
    expect(act('mcp__linear__list', { team: 't' })).toEqual(other)
    expect(act('mcp__asana__task_list', {})).toEqual(other)
    expect(act('github-mcp-server-search_code', { query: 'x' })).toEqual(other)
    expect(act('read_mcp_resource', { server: 's', uri: 'db://table' })).toEqual(other)
  })

  it('delete and move files as a patch would', () => {
    expect(act('delete_file', { target_file: 'a' })).toEqual({
      kind: 'patch',
      files: [{ op: 'delete', path: 'a' }],
    })
    expect(act('mcp__filesystem__move_file', { source: 'a', destination: 'b' })).toEqual({
      kind: 'patch',
      files: [{ op: 'update', path: 'a', movedTo: 'b', hunks: [] }],
    })
  })

  it('edit several files as a patch would', () => {
    const replacements = [
      { filePath: 'a', oldString: 'x\ny', newString: 'z' },
      { filePath: 'b', oldString: 'p', newString: '' },
    ]
    expect(act('multi_replace_string_in_file', { replacements })).toEqual({
      kind: 'patch',
      files: [
        {
          op: 'update',
          path: 'a',
          movedTo: null,
          hunks: [
            {
              heading: '',
              oldStart: null,
              lines: [
                { sign: '-', text: 'x' },
                { sign: '-', text: 'y' },
                { sign: '+', text: 'z' },
              ],
            },
          ],
        },
        {
          op: 'update',
          path: 'b',
          movedTo: null,
          hunks: [{ heading: '', oldStart: null, lines: [{ sign: '-', text: 'p' }] }],
        },
      ],
    })
  })
})

describe('raw text', () => {
  it('of a tool that nobody knows is other', () => {
    expect(act('js_repl', 'open("a")')).toEqual(other)
    expect(act('js_repl', 'edit 1:2\nx\nend_of_edit')).toEqual(other)
  })

  it('that is a command line for a tool of that name is no program', () => {
    expect(act('exec', 'rm a')).toMatchObject({ changes: [{ kind: 'delete', path: 'a' }] })
  })
})

describe('tools that nobody listed', () => {
  it('are read by name and shape together', () => {
    expect(act('readFile', { path: 'a' })).toEqual({ kind: 'read', path: 'a', lines: null })
    expect(act('file_viewer_open', { filepath: 'a', start_line: '3', end_line: '4' })).toEqual({
      kind: 'read',
      path: 'a',
      lines: { start: 3, end: 4 },
    })
    expect(act('modify_source', { file: 'a', old_text: 'x', new_text: 'y' }).kind).toBe('edit')
    expect(act('doc_writer_create', { path: 'a', content: 'c' }).kind).toBe('write')
    expect(act('remote_exec', { command: 'make' }).kind).toBe('shell')
    expect(act('page_fetcher_fetch', { url: 'https://x.test' }).kind).toBe('fetch')
  })

  it('are other when the shape does not fit the name', () => {
    expect(act('Read', { id: 7 })).toEqual(other)
    expect(act('readFile', { url: 'https://x.test' })).toEqual(other)
    expect(act('edit', { path: 'a' })).toEqual(other)
    expect(act('bash', { restart: true })).toEqual(other)
    expect(act('calendar', { path: 'a', content: 'c' })).toEqual(other)
  })
})

describe('actionOf', () => {
  it('reads arguments that are a JSON string of JSON', () => {
    const text = JSON.stringify(JSON.stringify({ path: 'a' }))
    expect(actionOf({ tool: 'read', text })).toEqual({ kind: 'read', path: 'a', lines: null })
  })

  it('never throws', () => {
    const tools = fc.oneof(
      fc.string(),
      fc.constantFrom('Read', 'edit', 'bash', 'apply_patch', 'shell', 'TodoWrite', 'web_search'),
      fc.constantFrom('str_replace_editor', 'view', 'write_stdin', 'mcp__x__y', 'open', ''),
    )
    const keys = fc.constantFrom('path', 'command', 'edits', 'todos', 'view_range', 'action', '')
    const inputs = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.dictionary(keys, fc.jsonValue()).map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(tools, inputs, (tool, text) => {
        expect(typeof actionOf({ tool, text }).kind).toBe('string')
      }),
    )
  })
})
