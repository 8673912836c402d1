import { describe, expect, it } from 'vitest'
import type { Action, LineRange, ShellAction } from '../../core/words/action.ts'
import { readResult } from './index.ts'

const read = (lines: LineRange | null = null): Action => ({ kind: 'read', path: '/a', lines })
const printing = (numbered = false): ShellAction => ({
  kind: 'shell',
  command: 'cat a',
  workdir: null,
  reads: [{ path: 'a', lines: { start: 1, end: null }, exact: true, numbered }],
  changes: [],
  query: null,
  continues: false,
})
const tokens =
  '<system-reminder>\n<total_tokens>14977639 tokens left</total_tokens>\n</system-reminder>'
const tasks = '<system-reminder>\nThe task tools were not used.\n</system-reminder>'

/** As Claude Code adds reminders to a result. */
const reminded = (result: string, ...reminders: readonly string[]): string =>
  [result.trim(), ...reminders].join('\n\n')

describe('a result that Claude Code trimmed before it added a reminder', () => {
  const shown = '1\tone\n2\t\n3\t'

  it.each([
    ['one', reminded(shown, tokens)],
    ['two', reminded(shown, tasks, tokens)],
    ['one behind the number', `${shown.trim()}${tokens}`],
    ['none', shown],
  ])('shows all lines of a file that ends with a newline, with %s', (_, text) => {
    const { lines, body } = readResult(read(), { tool: 'Read' }, text)
    expect(lines).toEqual({ first: 1, lines: ['one', '', ''] })
    expect(body).toBe('one\n\n')
  })

  it('shows the last line alone', () => {
    const { lines } = readResult(
      read({ start: 61, end: null }),
      { tool: 'Read' },
      `61\n\n${tokens}`,
    )
    expect(lines).toEqual({ first: 61, lines: [''] })
    expect(readResult(read(), { tool: 'Read' }, '61\t').lines).toEqual({ first: 61, lines: [''] })
  })

  it('takes only the next number for a line', () => {
    expect(readResult(read(), { tool: 'Read' }, reminded('1\tone\n3\t', tokens)).lines).toBeNull()
  })

  it('shows numbered lines that a command printed', () => {
    const text = reminded('     1\t\n     2\ttwo\n     3\t', tokens)
    const { lines, trimmed } = readResult(printing(true), { tool: 'Bash' }, text)
    expect(lines).toEqual({ first: 1, lines: ['', 'two', ''] })
    expect(trimmed).toBe(true)
  })

  it('says that blanks may be missing at its ends', () => {
    const text = reminded('\t\tone\n\ttwo ', tokens)
    expect(readResult(printing(), { tool: 'Bash' }, text)).toMatchObject({
      lines: { first: 1, lines: ['one', '\ttwo'] },
      trimmed: true,
    })
    expect(readResult(printing(), { tool: 'Bash' }, '\t\tone').trimmed).toBeUndefined()
  })
})

describe('files at the edges', () => {
  it.each([
    'the file exists but the contents are empty.',
    'the file exists but is shorter than the provided offset (1). The file has 1 lines.',
  ])('are known to be empty when Claude Code warns that %s', (warning) => {
    const text = `<system-reminder>Warning: ${warning}</system-reminder>`
    expect(readResult(read(), { tool: 'Read' }, text).lines).toEqual({ first: 1, lines: [] })
  })

  it.each([
    [null, '1-2 of 2', false],
    [null, '1-2 of 9', true],
    [{ start: 1, end: 2 }, '1-2 of 9', false],
    [{ start: 1, end: 5 }, '1-2 of 9', true],
  ])('asked for as %j are cut when Gemini CLI shows %s: %s', (lines, status, truncated) => {
    const text = `\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines ${status} total lines.\nAction: Read on.\n\n--- FILE CONTENT (truncated) ---\none\ntwo`
    const action = { ...read(), lines }
    expect(readResult(action, { tool: 'read_file' }, text).truncated).toBe(truncated)
  })

  it.each(['(see attached image)', '(no tool output)'])('are empty where Pi sends %s', (text) => {
    const { lines } = readResult(read(), { tool: 'read' }, text)
    expect(lines).toEqual({ first: 1, lines: [''] })
  })

  it('begin behind their byte-order mark', () => {
    expect(readResult(read(), { tool: 'read' }, '\ufeffone').lines?.lines).toEqual(['one'])
    expect(readResult(printing(), { tool: 'bash' }, '\ufeffone\n').lines?.lines).toEqual(['one'])
    const framed = 'Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n\ufeffone\n'
    expect(readResult(printing(), { tool: 'exec_command' }, framed).lines?.lines).toEqual(['one'])
  })

  it('are not what a command says of a file that it cannot print', () => {
    const missing = 'cat: /p/a.js: No such file or directory\n'
    expect(readResult(printing(), { tool: 'bash' }, missing).lines).toBeNull()
    const quoting = `${missing}and more\n`
    expect(readResult(printing(), { tool: 'bash' }, quoting).lines?.lines).toHaveLength(2)
  })
})
