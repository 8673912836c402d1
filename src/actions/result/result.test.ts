import { describe, expect, it } from 'vitest'
import type { Action, LineRange, ShellAction } from '../../core/words/action.ts'
import { readResult } from './index.ts'

const read = (lines: LineRange | null = null): Action => ({ kind: 'read', path: '/a', lines })
const edit: Action = { kind: 'edit', path: '/a', edits: [] }
const shell: ShellAction = {
  kind: 'shell',
  command: 'make',
  workdir: null,
  reads: [],
  changes: [],
  query: null,
  continues: false,
}
const printing = (lines: LineRange | null, numbered = false): ShellAction => ({
  ...shell,
  reads: [{ path: 'a', lines, exact: true, numbered }],
})

describe('files', () => {
  it('that Claude Code shows are free of numbers and reminders', () => {
    const text = '     9→a\n    10→\n\n<system-reminder>\nMind.\n</system-reminder>\n'
    expect(readResult(read(), { tool: 'Read' }, text)).toEqual({
      body: 'a\n',
      lines: { first: 9, lines: ['a', ''] },
      injected: [{ kind: 'system-reminder', text: '<system-reminder>\nMind.\n</system-reminder>' }],
      exitCode: null,
      truncated: false,
    })
  })

  it('are equal with and without a count of the tokens left', () => {
    const plain = readResult(read(), { tool: 'Read' }, '1\ta\n2\tb')
    const left = '<system-reminder><total_tokens>7 tokens left</total_tokens></system-reminder>'
    for (const gap of ['', '\n', '\n\n']) {
      const counted = readResult(read(), { tool: 'Read' }, `1\ta\n2\tb${gap}${left}`)
      expect({ ...counted, injected: [] }).toEqual(plain)
      expect(counted.injected).toEqual([{ kind: 'system-reminder', text: left }])
    }
  })

  it('are not seen where Claude Code shows none', () => {
    const notes = [
      '<tool_use_error>File does not exist.</tool_use_error>',
      'File unchanged since last read.',
      '1\ta\n3\tb',
    ]
    for (const text of notes) {
      expect(readResult(read(), { tool: 'Read' }, text)).toMatchObject({ body: text, lines: null })
    }
  })

  it('may be empty', () => {
    const warning =
      '<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>'
    expect(readResult(read(), { tool: 'Read' }, warning).lines).toEqual({ first: 1, lines: [] })
    const empty =
      '<path>/a</path>\n<type>file</type>\n<content>\n\n(End of file - total 0 lines)\n</content>'
    expect(readResult(read(), { tool: 'read' }, empty).lines).toEqual({ first: 1, lines: [] })
  })

  it('are cut when OpenCode shows fewer lines than it was asked for', () => {
    const text =
      '<path>/a</path>\n<type>file</type>\n<content>\n1: a\n\n(Showing lines 1-1 of 9. Use offset=2 to continue.)\n</content>'
    expect(readResult(read(), { tool: 'read' }, text).truncated).toBe(true)
    const asked = read({ start: 1, end: 1 })
    expect(readResult(asked, { tool: 'read' }, text)).toEqual({
      body: 'a',
      lines: { first: 1, lines: ['a'] },
      injected: [
        { kind: 'header', text: '<path>/a</path>\n<type>file</type>\n<content>' },
        { kind: 'footer', text: '(Showing lines 1-1 of 9. Use offset=2 to continue.)' },
      ],
      exitCode: null,
      truncated: false,
    })
  })

  it('are no directories', () => {
    const text =
      '<path>/a</path>\n<type>directory</type>\n<entries>\nb.ts\n\n(1 entries)\n</entries>'
    expect(readResult(read(), { tool: 'read' }, text)).toMatchObject({ body: 'b.ts', lines: null })
  })

  it('keep what looks like a footer of Pi but does not fit', () => {
    const text = 'a\n\n[Showing lines 1-7 of 9. Use offset=8 to continue.]'
    expect(readResult(read(), { tool: 'read' }, text).body).toBe(text)
  })

  it('keep numbers and reminders that are their own', () => {
    for (const text of ['1: a\n2: b', '1\ta', 'a\n<system-reminder>b</system-reminder>']) {
      for (const tool of ['read', 'read_file', 'mcp__filesystem__read_text_file']) {
        expect(readResult(read(), { tool }, text)).toEqual({
          body: text,
          lines: { first: 1, lines: text.split('\n') },
          injected: [],
          exitCode: null,
          truncated: false,
        })
      }
    }
  })

  it('keep numbers that do not start where an unknown tool was asked to start', () => {
    expect(readResult(read(), { tool: 'show' }, '7: a\n8: b').body).toBe('7: a\n8: b')
    const asked = read({ start: 7, end: null })
    expect(readResult(asked, { tool: 'show' }, '7: a\n8: b').body).toBe('a\nb')
  })

  it('are not told apart when several come at once', () => {
    const text = '--- a ---\n\nx\n--- b ---\n\ny'
    expect(readResult(read(), { tool: 'read_many_files' }, text).lines).toBeNull()
  })
})

describe('changes', () => {
  it('show the lines around them', () => {
    const text =
      "The file /a has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n    11→x\n    12→y"
    expect(readResult(edit, { tool: 'Edit' }, text).lines).toEqual({ first: 11, lines: ['x', 'y'] })
    const window =
      'File updated. Please review the changes.\r\n[File: /a (2 lines total)]\r\n1:x\r\n2:y\r\n'
    expect(readResult(edit, { tool: 'edit' }, window).lines).toEqual({
      first: 1,
      lines: ['x', 'y'],
    })
  })

  it('that SWE-agent refused show nothing of the file', () => {
    const text =
      '[File: /a (1 lines total)]\n1:x\nYour changes have NOT been applied. Please fix your edit.'
    expect(readResult(edit, { tool: 'edit' }, text).lines).toBeNull()
  })

  it.each([
    'LSP errors detected in this file, please fix:\n<diagnostics file="/a">\nERROR [1:1] x\n</diagnostics>',
    'This file has errors, please fix\n<file_diagnostics>\nERROR [1:1] x\n</file_diagnostics>',
    '<project_diagnostics>\n/a\nERROR [1:1] x\n</project_diagnostics>',
  ])('are confirmed apart from what a language server says', (diagnostics) => {
    const text = `Edit applied successfully.\n\n${diagnostics}\n`
    expect(readResult(edit, { tool: 'edit' }, text)).toEqual({
      body: 'Edit applied successfully.',
      lines: null,
      injected: [{ kind: 'diagnostics', text: diagnostics }],
      exitCode: null,
      truncated: false,
    })
  })

  it('of Codex are confirmed apart from their header', () => {
    const text = 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n'
    const patch: Action = { kind: 'patch', files: [] }
    expect(readResult(patch, { tool: 'apply_patch' }, text)).toMatchObject({
      body: 'Success.\n',
      exitCode: 0,
    })
  })
})

describe('commands', () => {
  it.each([
    [
      'exec_command',
      'Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 2\nOriginal token count: 1\nOutput:\nno\n',
    ],
    ['bash', '<returncode>2</returncode>\n<output>\nno\n</output>'],
    ['bash', 'no\n<shellId: 1 completed with exit code 2>'],
    ['bash', 'no\n\n\nCommand exited with code 2'],
    [
      'execute_bash',
      'no\n[The command completed with exit code 2.]\n[Current working directory: /]',
    ],
    ['Bash', 'Exit code 2\nno\n'],
    ['run_shell_command', 'Output: no\n\nExit Code: 2\nProcess Group PGID: 7'],
  ])('of %s tell their exit code', (tool, text) => {
    expect(readResult(shell, { tool }, text)).toMatchObject({ body: 'no\n', exitCode: 2 })
  })

  it('that still run have no exit code', () => {
    const text =
      'Chunk ID: 1\nWall time: 30.0 seconds\nProcess running with session ID 7\nOriginal token count: 0\nOutput:\n'
    expect(readResult(shell, { tool: 'write_stdin' }, text)).toMatchObject({
      body: '',
      exitCode: null,
    })
  })

  it.each([
    [
      'exec_command',
      'Wall time: 1 seconds\nOutput:\nWarning: truncated output (original token count: 9)\nTotal output lines: 3\n\na…9 tokens truncated…b',
    ],
    [
      'bash',
      '<returncode>0</returncode>\n<warning>\nlong\n</warning><output_head>\na\n</output_head>\n<elided_chars>\n9 characters elided\n</elided_chars>\n<output_tail>\nb\n</output_tail>',
    ],
    [
      'bash',
      'a\n\n...9 bytes truncated...\n\nThe tool call succeeded but the output was truncated. Full output saved to: /x',
    ],
    ['bash', '...output truncated...\n\nFull output saved to: /x\n\nb'],
    [
      'Bash',
      '<persisted-output>\nOutput too large (1KB). Full output saved to: /x\n\nPreview (first 2KB):\na\n...\n</persisted-output>',
    ],
  ])('of %s that were cut say so, and are no file', (tool, text) => {
    const reading = readResult(printing({ start: 1, end: null }), { tool }, text)
    expect(reading).toMatchObject({ truncated: true, lines: null })
    expect(reading.injected.length).toBeGreaterThan(0)
  })

  it('that failed printed no file', () => {
    const text = '<returncode>1</returncode>\n<output>\ncat: a: No such file\n</output>'
    expect(readResult(printing({ start: 1, end: null }), { tool: 'bash' }, text).lines).toBeNull()
  })

  it('that print lines say which, with numbers and without', () => {
    const part = printing({ start: 5, end: 6 })
    expect(readResult(part, { tool: 'bash' }, 'a\nb\n').lines).toEqual({
      first: 5,
      lines: ['a', 'b'],
    })
    expect(readResult(part, { tool: 'bash' }, 'a\nb\nc\n').lines).toBeNull()
    const numbered = printing({ start: 5, end: 6 }, true)
    expect(readResult(numbered, { tool: 'bash' }, '     5\ta\n     6\tb\n').lines).toEqual({
      first: 5,
      lines: ['a', 'b'],
    })
  })

  it('that Claude Code trimmed cannot be placed', () => {
    const part = printing({ start: 5, end: 7 })
    expect(readResult(part, { tool: 'Bash' }, 'a\nb').lines).toBeNull()
    expect(readResult(part, { tool: 'Bash' }, 'a\nb\nc').lines).toEqual({
      first: 5,
      lines: ['a', 'b', 'c'],
    })
  })

  it('without output have an empty body', () => {
    for (const text of ['(no output)', '', '(Bash completed with no output)']) {
      expect(readResult(shell, { tool: 'Bash' }, text).body).toBe('')
    }
  })

  it('of Gemini CLI keep the error lines of the program', () => {
    const text =
      'Command: x\nDirectory: (root)\nOutput: a\nError: of the program\nb\nError: (none)\nExit Code: 1\nSignal: (none)'
    expect(readResult(shell, { tool: 'run_shell_command' }, text)).toMatchObject({
      body: 'a\nError: of the program\nb',
      exitCode: 1,
    })
  })
})

describe('everything else', () => {
  it('is free of reminders wherever they stand', () => {
    const reminder = '<system-reminder>\nMind.\n</system-reminder>'
    const search: Action = { kind: 'search', pattern: 'x', path: null, include: null }
    const text = `${reminder}\na:1:x\n${reminder}\nb:2:<system-reminder>no</system-reminder>!\n\n${reminder}`
    expect(readResult(search, { tool: 'Grep' }, text)).toEqual({
      body: 'a:1:x\nb:2:<system-reminder>no</system-reminder>!',
      lines: null,
      injected: [1, 2, 3].map(() => ({ kind: 'system-reminder', text: reminder })),
      exitCode: null,
      truncated: false,
    })
  })
})

describe('programs of Codex', () => {
  const header = 'Script completed\nWall time 0.1 seconds\nOutput:\n'
  const all = { start: 1, end: null }
  const result = (output: string, code: number | null = 0): string =>
    JSON.stringify({
      chunk_id: 'a1b2c3',
      wall_time_seconds: 0.000007161,
      ...(code === null ? { session_id: 7 } : { exit_code: code }),
      original_token_count: 1,
      output,
    })
  const reading = (action: ShellAction, text: string) => readResult(action, { tool: 'exec' }, text)
  const patch: ShellAction = {
    ...shell,
    command: 'apply_patch',
    changes: [{ kind: 'patch', files: [{ op: 'delete', path: 'a' }] }],
  }

  it.each([
    ['', [], `${header}`],
    ['a\n\nb\n', ['a', '', 'b'], `${header}\na\n\nb\n`],
    ['\na', ['', 'a'], `${header}\n\na`],
  ])('show the file %j that their command printed', (body, lines, text) => {
    expect(reading(printing(all), text)).toMatchObject({ body, lines: { first: 1, lines } })
  })

  it('show the same when they print all that is said of the command', () => {
    const text = `${header}\n${result('a\n\nb\n')}`
    expect(reading(printing(all), text)).toMatchObject({
      body: 'a\n\nb\n',
      lines: { first: 1, lines: ['a', '', 'b'] },
      exitCode: 0,
    })
    expect(reading(printing(all), `${header}\n${result('no\n', 1)}`)).toMatchObject({
      lines: null,
      exitCode: 1,
    })
  })

  it('give the exit code of several commands, and none while one runs', () => {
    const both = (first: string, second: string): number | null =>
      reading(shell, `${header}\n${first}\n${second}`).exitCode
    expect(both(result('a'), result('b'))).toBe(0)
    expect(both(result('a'), result('b', 3))).toBe(3)
    expect(both(result('a', null), result('b', 3))).toBe(3)
    expect(both(result('a', null), result('b'))).toBeNull()
    expect(both(result('a'), 'something else')).toBeNull()
  })

  it('give the exit code also of a command whose output was cut', () => {
    const notice = 'Warning: truncated output (original token count: 9)\nTotal output lines: 1\n\n'
    const cut = result('1\n2\n3\n', 2).replace('2\\n', '…5 tokens truncated…')
    expect(reading(printing(all), `${header}\n${notice}${cut.slice(0, -2)}`)).toMatchObject({
      lines: null,
      exitCode: 2,
      truncated: true,
    })
  })

  it('did what nobody knows when they failed or still run', () => {
    for (const state of ['failed', 'terminated', 'running with cell ID 7']) {
      const text = header.replace('completed', state)
      expect(reading(printing(all), `${text}\na\n`)).toMatchObject({ lines: null, exitCode: 1 })
    }
  })

  it('did nothing when the one patch of theirs did not fit', () => {
    const failed = header.replace('completed', 'failed')
    const refused = `${failed}\nScript error:\napply_patch verification failed: no such lines`
    expect(reading(patch, refused).exitCode).toBeNull()
    expect(
      reading({ ...patch, changes: [...patch.changes, ...patch.changes] }, refused).exitCode,
    ).toBe(1)
    expect(
      reading(patch, `${failed}\nScript error:\nTypeError: r is not a function`).exitCode,
    ).toBe(1)
  })
})
