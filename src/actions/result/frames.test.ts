import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Action, LineRange, ShellAction } from '../../core/words/action.ts'
import { readResult } from './index.ts'

const nasty = fc.constantFrom(
  '',
  '1: a',
  '     1→b',
  '1\tc',
  '2|d',
  '3. e',
  'L1: f',
  '<system-reminder>',
  '<system-reminder>g</system-reminder>',
  '</system-reminder>',
  '(End of file - total 3 lines)',
  '</content>',
  '<content>',
  '</file>',
  '</output>',
  '<output>',
  'Output:',
  '[File: /a (3 lines total)]',
  '(2 more lines below)',
  '[Showing lines 1-2 of 9. Use offset=3 to continue.]',
  'LSP errors detected in this file, please fix:',
  '<diagnostics file="a">',
  '</diagnostics>',
  '*** End Patch',
  'Exit code 1',
  'Chunk ID: 1',
  'Total output lines: 3',
)
const anyLine = fc.oneof(
  nasty,
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\n\r]/g, ' ')),
)
/** A file's text is one line or more; a file without any has frames of its own. */
const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 8 })
const anyFirst = fc.integer({ min: 1, max: 2000 })

interface Frame {
  readonly name: string
  readonly tool: string
  frame(lines: readonly string[], first: number): string
}

const numbered = (
  lines: readonly string[],
  first: number,
  prefix: (number: number) => string,
): string => lines.map((line, index) => `${prefix(first + index)}${line}`).join('\n')

const reminder = '\n\n<system-reminder>\nThink of it.\n</system-reminder>\n'
const padded = (number: number): string => String(number).padStart(6)

const fileFrames: readonly Frame[] = [
  {
    name: 'Claude Code, old',
    tool: 'Read',
    frame: (lines, first) => numbered(lines, first, (number) => `${padded(number)}→`) + reminder,
  },
  {
    name: 'Claude Code',
    tool: 'Read',
    frame: (lines, first) => numbered(lines, first, (number) => `${number}\t`),
  },
  {
    name: 'OpenCode',
    tool: 'read',
    frame: (lines, first) =>
      `<path>/a</path>\n<type>file</type>\n<content>\n${numbered(lines, first, (number) => `${number}: `)}\n\n(End of file - total 9 lines)\n</content>${reminder}`,
  },
  {
    name: 'OpenCode, old',
    tool: 'read',
    frame: (lines, first) =>
      `<file>\n${numbered(lines, first, (number) => `${String(number).padStart(5, '0')}| `)}\n\n(File has more lines. Use 'offset' parameter to read beyond line 9)\n</file>`,
  },
  {
    name: 'Crush',
    tool: 'view',
    frame: (lines, first) =>
      `<file>\n${numbered(lines, first, (number) => `${padded(number)}|`)}\n</file>\n`,
  },
  {
    name: 'Copilot CLI',
    tool: 'view',
    frame: (lines, first) => numbered(lines, first, (number) => `${number}. `),
  },
  { name: 'Pi', tool: 'read', frame: (lines) => lines.join('\n') },
  {
    name: 'Pi, in part',
    tool: 'read',
    frame: (lines, first) =>
      `${lines.join('\n')}\n\n[Showing lines ${first}-${first + lines.length - 1} of 9999. Use offset=${first + lines.length} to continue.]`,
  },
  { name: 'Gemini CLI', tool: 'read_file', frame: (lines) => lines.join('\n') },
  {
    name: 'Gemini CLI, in part',
    tool: 'read_file',
    frame: (lines, first) =>
      `\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines ${first}-${first + lines.length - 1} of 9999 total lines.\nAction: Read on.\n\n--- FILE CONTENT (truncated) ---\n${lines.join('\n')}`,
  },
  {
    name: 'the text-editor tool',
    tool: 'str_replace_based_edit_tool',
    frame: (lines, first) =>
      `Here's the result of running \`cat -n\` on /a:\n${numbered(lines, first, (number) => `${padded(number)}\t`)}\n`,
  },
  {
    name: 'SWE-agent',
    tool: 'open',
    frame: (lines, first) =>
      `[File: /a (9 lines total)]\n(${first} more lines above)\n${numbered(lines, first, (number) => `${number}:`)}\n(2 more lines below)\n(Open file: /a)\n(Current directory: /)\nbash-$`,
  },
  {
    name: 'an agent nobody knows',
    tool: 'show_document',
    frame: (lines, first) => numbered(lines, first, (number) => `${number} | `),
  },
]

describe('a file that an agent shows', () => {
  it.each(fileFrames)('is the same file in the frame of $name', ({ tool, frame }) => {
    fc.assert(
      fc.property(anyLines, anyFirst, (lines, first) => {
        const asked: LineRange = { start: first, end: first + lines.length - 1 }
        const action: Action = { kind: 'read', path: '/a', lines: asked }
        const reading = readResult(action, { tool }, frame(lines, first))
        expect(reading.lines).toEqual({ first, lines })
        expect(reading.body).toBe(lines.join('\n'))
      }),
    )
  })
})

const commandFrames: readonly { name: string; tool: string; frame(output: string): string }[] = [
  {
    name: 'Codex',
    tool: 'exec_command',
    frame: (output) =>
      `Chunk ID: ab12\nWall time: 0.5 seconds\nProcess exited with code 0\nOriginal token count: 7\nOutput:\n${output}`,
  },
  {
    name: 'Codex, old',
    tool: 'shell',
    frame: (output) => `Exit code: 0\nWall time: 0 seconds\nOutput:\n${output}`,
  },
  {
    name: 'Codex, older',
    tool: 'shell',
    frame: (output) => JSON.stringify({ output, metadata: { exit_code: 0 } }),
  },
  {
    name: 'mini-swe-agent',
    tool: 'bash',
    frame: (output) => `<returncode>0</returncode>\n<output>\n${output}</output>`,
  },
  {
    name: 'mini-swe-agent, new',
    tool: 'bash',
    frame: (output) => JSON.stringify({ returncode: 0, output }, null, 2),
  },
  {
    name: 'Copilot CLI',
    tool: 'bash',
    frame: (output) => `${output}<shellId: 3 completed with exit code 0>`,
  },
  {
    name: 'Gemini CLI',
    tool: 'run_shell_command',
    frame: (output) =>
      `Command: cat a\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 7`,
  },
]

describe('a file that a command prints', () => {
  const action: ShellAction = {
    kind: 'shell',
    command: 'cat a',
    workdir: null,
    reads: [{ path: 'a', lines: { start: 1, end: null }, exact: true, numbered: false }],
    changes: [],
    query: null,
    continues: false,
  }

  it.each(commandFrames)('is the same file in the frame of $name', ({ tool, frame }) => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const output = `${lines.join('\n')}\n`
        const reading = readResult(action, { tool }, frame(output))
        expect(reading).toMatchObject({ body: output, exitCode: 0, truncated: false })
        expect(reading.lines).toEqual({ first: 1, lines })
      }),
    )
  })
})

describe('readResult', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'is read when the tool is called %s, as every object has it',
    (tool) => {
      const action = { kind: 'read', path: 'a', lines: null } as const
      expect(readResult(action, { tool }, '1\tone\n2\ttwo').body).toBe('one\ntwo')
    },
  )

  it('never throws', () => {
    const tools = fc.oneof(
      fc.string(),
      fc.constantFrom(...[...fileFrames, ...commandFrames].map((frame) => frame.tool), 'Bash'),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      anyLines.map((lines) => lines.join('\n')),
    )
    const actions = fc.constantFrom<Action>(
      { kind: 'read', path: 'a', lines: null },
      { kind: 'edit', path: 'a', edits: [] },
      { kind: 'other' },
    )
    fc.assert(
      fc.property(actions, tools, text, (action, tool, result) => {
        expect(typeof readResult(action, { tool }, result).body).toBe('string')
      }),
    )
  })
})
