import { describe, expect, it } from 'vitest'
import type { Action } from '../core/words/action.ts'
import { actionOf } from './index.ts'

const act = (tool: string, input: unknown): Action =>
  actionOf({ tool, text: typeof input === 'string' ? input : JSON.stringify(input) })

const replace = (oldText: string, newText: string, all = false) =>
  ({ kind: 'replace', oldText, newText, all }) as const

const other: Action = { kind: 'other' }

describe('Claude Code', () => {
  it('counts offset from line 1', () => {
    expect(act('Read', { file_path: '/p/a.ts', offset: 20, limit: 5 })).toEqual({
      kind: 'read',
      path: '/p/a.ts',
      lines: { start: 20, end: 24 },
    })
    expect(act('Read', { file_path: '/p/a.ts' })).toEqual({
      kind: 'read',
      path: '/p/a.ts',
      lines: null,
    })
    expect(act('Read', { file_path: '/p/a.ts', offset: 640 })).toEqual({
      kind: 'read',
      path: '/p/a.ts',
      lines: { start: 640, end: null },
    })
  })

  it('reads one edit, several edits and a whole file', () => {
    const edit = { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true }
    expect(act('Edit', edit)).toEqual({ kind: 'edit', path: 'a', edits: [replace('x', 'y', true)] })
    const edits = [
      { old_string: 'x', new_string: 'y' },
      { old_string: 'p', new_string: '' },
    ]
    expect(act('MultiEdit', { file_path: 'a', edits })).toEqual({
      kind: 'edit',
      path: 'a',
      edits: [replace('x', 'y'), replace('p', '')],
    })
    expect(act('Write', { file_path: 'a', content: '' })).toEqual({
      kind: 'write',
      path: 'a',
      content: '',
    })
  })

  it('makes an edit that looks for nothing a write of the whole file', () => {
    expect(act('Edit', { file_path: 'a', old_string: '', new_string: 'new' })).toEqual({
      kind: 'write',
      path: 'a',
      content: 'new',
    })
  })

  it('reads searches, globs and listings', () => {
    expect(act('Grep', { pattern: 'x', type: 'py' })).toMatchObject({ include: 'type:py' })
    expect(act('Grep', { pattern: 'x', glob: 'a/*', type: 'py' })).toMatchObject({
      include: 'a/* type:py',
    })
    expect(act('Grep', { pattern: 'x', path: 'src', glob: '*.ts', '-A': 3 })).toEqual({
      kind: 'search',
      pattern: 'x',
      path: 'src',
      include: '*.ts',
    })
    expect(act('Glob', { pattern: '**/*.md' })).toEqual({
      kind: 'glob',
      pattern: '**/*.md',
      path: null,
    })
    expect(act('LS', { path: '/p' })).toEqual({ kind: 'glob', pattern: '*', path: '/p' })
  })

  it('reads both of its task lists', () => {
    const todos = [{ content: 'a', status: 'in_progress', activeForm: 'doing a', id: '7' }]
    expect(act('TodoWrite', { todos })).toEqual({
      kind: 'list',
      op: 'write',
      tasks: [{ id: '7', content: 'a', status: 'in_progress', priority: null }],
    })
    expect(act('TodoRead', {})).toEqual({ kind: 'list', op: 'read', tasks: [] })
    expect(act('TaskCreate', { subject: 's', description: 'd' })).toEqual({
      kind: 'list',
      op: 'create',
      tasks: [{ id: null, content: 's', status: 'pending', priority: null }],
    })
    expect(act('TaskUpdate', { taskId: '3', status: 'completed' })).toEqual({
      kind: 'list',
      op: 'update',
      tasks: [{ id: '3', content: '', status: 'completed', priority: null }],
    })
    expect(act('TaskList', {})).toEqual({ kind: 'list', op: 'read', tasks: [] })
  })

  it('reads fetches, notebooks and sub-agents', () => {
    expect(act('WebFetch', { url: 'https://x.test/', prompt: 'p' })).toEqual({
      kind: 'fetch',
      url: 'https://x.test/',
      query: null,
    })
    expect(act('WebSearch', { query: 'q' })).toEqual({ kind: 'fetch', url: null, query: 'q' })
    expect(
      act('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'c1', new_source: 's' }),
    ).toEqual({
      kind: 'edit',
      path: 'n.ipynb',
      edits: [{ kind: 'cell', cell: 'c1', mode: 'replace', text: 's' }],
    })
    expect(act('Task', { description: 'd', prompt: 'p', subagent_type: 't' })).toEqual({
      kind: 'task',
      description: 'd',
      prompt: 'p',
    })
    expect(act('Agent', { description: 'd', prompt: 'p' }).kind).toBe('task')
  })

  it('takes what follows a running command for its continuation', () => {
    for (const tool of ['BashOutput', 'KillShell', 'KillBash']) {
      expect(act(tool, { bash_id: '1' })).toEqual({
        kind: 'shell',
        command: '',
        workdir: null,
        reads: [],
        changes: [],
        query: null,
        continues: true,
      })
    }
  })

  it('leaves a plan that waits for approval alone', () => {
    expect(act('ExitPlanMode', { plan: '- [ ] first' })).toEqual(other)
  })
})

describe('OpenCode', () => {
  it('has the same tools under lower-case names and camel-case keys', () => {
    expect(act('read', { filePath: 'a', offset: 3, limit: 2 })).toEqual({
      kind: 'read',
      path: 'a',
      lines: { start: 3, end: 4 },
    })
    expect(act('edit', { filePath: 'a', oldString: 'x', newString: 'y' })).toEqual({
      kind: 'edit',
      path: 'a',
      edits: [replace('x', 'y')],
    })
    expect(act('write', { filePath: 'a', content: 'c' })).toEqual({
      kind: 'write',
      path: 'a',
      content: 'c',
    })
    expect(act('grep', { pattern: 'x', include: '*.ts' }).kind).toBe('search')
    expect(act('list', { path: 'src' })).toEqual({ kind: 'glob', pattern: '*', path: 'src' })
    expect(act('todoread', {}).kind).toBe('list')
    expect(act('webfetch', { url: 'https://x.test', format: 'text' }).kind).toBe('fetch')
  })

  it('patches several files in one call', () => {
    const patchText = '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch'
    expect(act('apply_patch', { patchText })).toEqual({
      kind: 'patch',
      files: [
        { op: 'add', path: 'a', content: 'x\n' },
        { op: 'delete', path: 'b' },
      ],
    })
  })

  it('keeps the directory that a command runs in', () => {
    expect(act('bash', { command: 'make', workdir: '/p/sub', description: 'd' })).toMatchObject({
      kind: 'shell',
      command: 'make',
      workdir: '/p/sub',
      continues: false,
    })
  })
})

describe('Codex', () => {
  it('runs commands given as a line and as words', () => {
    expect(act('exec_command', { cmd: 'make', workdir: '/p' })).toMatchObject({
      kind: 'shell',
      command: 'make',
      workdir: '/p',
    })
    expect(act('shell', { command: ['bash', '-lc', 'make all'] })).toMatchObject({
      command: 'make all',
    })
    expect(act('shell', { command: ['git', 'commit', '-m', "it's"] })).toMatchObject({
      command: "git commit -m 'it'\\''s'",
    })
    expect(act('shell_command', { command: 'make' })).toMatchObject({ command: 'make' })
    const action = { type: 'exec', command: ['make'], working_directory: '/p' }
    expect(act('local_shell', { action })).toMatchObject({ command: 'make', workdir: '/p' })
  })

  it('takes typed input for something that may change any file', () => {
    expect(act('write_stdin', { session_id: 1, chars: 'y\n' })).toMatchObject({
      kind: 'shell',
      changes: [{ kind: 'unknown' }],
      continues: true,
    })
    expect(act('write_stdin', { session_id: 1, chars: '' })).toMatchObject({ changes: [] })
  })

  it('takes patches as raw text, as JSON and as a program of the shell tool', () => {
    const patch = '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\n'
    const expected: Action = {
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
                { sign: '+', text: 'y' },
              ],
            },
          ],
        },
      ],
    }
    expect(act('apply_patch', patch)).toEqual(expected)
    expect(act('apply_patch', { input: patch })).toEqual(expected)
    expect(act('shell', { command: ['apply_patch', patch] })).toEqual(expected)
  })

  it('reads plans, pictures and searches', () => {
    expect(act('update_plan', { plan: [{ step: 's', status: 'completed' }] })).toEqual({
      kind: 'list',
      op: 'write',
      tasks: [{ id: null, content: 's', status: 'completed', priority: null }],
    })
    expect(act('view_image', { path: 'a.png' })).toEqual({
      kind: 'read',
      path: 'a.png',
      lines: null,
    })
    expect(act('web_search', { action: { type: 'search', query: 'q' } })).toEqual({
      kind: 'fetch',
      url: null,
      query: 'q',
    })
    expect(act('web_search_call', { action: { type: 'open_page', url: 'u' } })).toEqual({
      kind: 'fetch',
      url: 'u',
      query: null,
    })
  })
})

describe('Pi', () => {
  it('reads both generations of its edit', () => {
    const newer = { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] }
    const expected = { kind: 'edit', path: 'a', edits: [replace('x', 'y')] }
    expect(act('edit', newer)).toEqual(expected)
    expect(act('edit', { path: 'a', oldText: 'x', newText: 'y' })).toEqual(expected)
  })

  it('reads its other tools', () => {
    expect(act('read', { path: 'a' })).toEqual({ kind: 'read', path: 'a', lines: null })
    expect(act('find', { pattern: '*.ts', path: 'src' })).toEqual({
      kind: 'glob',
      pattern: '*.ts',
      path: 'src',
    })
    expect(act('ls', {})).toEqual({ kind: 'glob', pattern: '*', path: null })
  })
})

describe('Copilot CLI', () => {
  it('has the commands of the text-editor as tools', () => {
    expect(act('view', { path: '/a', view_range: [5, -1] })).toEqual({
      kind: 'read',
      path: '/a',
      lines: { start: 5, end: null },
    })
    expect(act('create', { path: '/a', file_text: 't' })).toEqual({
      kind: 'write',
      path: '/a',
      content: 't',
    })
    expect(act('edit', { path: '/a', old_str: 'x', new_str: 'y' })).toEqual({
      kind: 'edit',
      path: '/a',
      edits: [replace('x', 'y')],
    })
  })

  it('talks to running shells', () => {
    for (const tool of ['read_bash', 'stop_bash', 'list_bash']) {
      expect(act(tool, { shellId: '1' })).toMatchObject({ kind: 'shell', continues: true })
    }
    expect(act('write_bash', { shellId: '1', input: 'y{enter}' })).toMatchObject({
      command: 'y{enter}',
      changes: [{ kind: 'unknown' }],
    })
  })

  it('keeps its task list as a Markdown checklist', () => {
    expect(act('update_todo', { todos: '- [x] a\n- [ ] b\n' })).toEqual({
      kind: 'list',
      op: 'write',
      tasks: [
        { id: null, content: 'a', status: 'completed', priority: null },
        { id: null, content: 'b', status: 'pending', priority: null },
      ],
    })
    expect(act('report_intent', { intent: 'Reading' })).toEqual(other)
  })
})

describe('Gemini CLI', () => {
  it('counts the lines that offset leaves out', () => {
    const expected = { kind: 'read', path: '/a', lines: { start: 11, end: 15 } }
    expect(act('read_file', { absolute_path: '/a', offset: 10, limit: 5 })).toEqual(expected)
    expect(act('read_file', { file_path: '/a', start_line: 11, end_line: 15 })).toEqual(expected)
  })

  it('reads its other tools', () => {
    expect(act('replace', { file_path: 'a', old_string: 'x', new_string: 'y' })).toEqual({
      kind: 'edit',
      path: 'a',
      edits: [replace('x', 'y')],
    })
    expect(act('run_shell_command', { command: 'make', dir_path: 'sub' })).toMatchObject({
      kind: 'shell',
      workdir: 'sub',
    })
    expect(act('search_file_content', { pattern: 'x', include: '*.go' })).toEqual({
      kind: 'search',
      pattern: 'x',
      path: null,
      include: '*.go',
    })
    expect(act('list_directory', { dir_path: 'src' })).toEqual({
      kind: 'glob',
      pattern: '*',
      path: 'src',
    })
    expect(act('web_fetch', { prompt: 'Sum up https://x.test/a, please' })).toEqual({
      kind: 'fetch',
      url: 'https://x.test/a',
      query: null,
    })
    expect(act('google_web_search', { query: 'q' }).kind).toBe('fetch')
    expect(act('write_todos', { todos: [{ description: 'd', status: 'cancelled' }] })).toEqual({
      kind: 'list',
      op: 'write',
      tasks: [{ id: null, content: 'd', status: 'cancelled', priority: null }],
    })
    expect(act('save_memory', { fact: 'f' })).toEqual(other)
  })

  it('reads the first of several files', () => {
    expect(act('read_many_files', { paths: ['a.ts', 'b.ts'] })).toEqual({
      kind: 'read',
      path: 'a.ts',
      lines: null,
    })
    expect(act('read_many_files', { include: ['src/**/*.ts'] })).toEqual({
      kind: 'glob',
      pattern: 'src/**/*.ts',
      path: null,
    })
  })
})
