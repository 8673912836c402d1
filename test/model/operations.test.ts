import { describe, expect, it } from 'vitest'
import { planCalls } from './operations.ts'
import type { Operation } from './scenario.ts'
import { createTaskBoard } from './task-list.ts'
import type { OfferedTools } from './tools.ts'

function offering(tools: Readonly<Record<string, readonly string[]>>): OfferedTools {
  return new Map(
    Object.entries(tools).map(([name, fields]) => [
      name,
      {
        name,
        kind: 'function',
        properties: Object.fromEntries(fields.map((field) => [field, {}])),
      },
    ]),
  )
}

const claudeCode = offering({
  Read: ['file_path', 'offset', 'limit'],
  Edit: ['file_path', 'old_string', 'new_string'],
  Bash: ['command', 'description'],
  Grep: ['pattern', 'path', 'output_mode'],
  TaskCreate: ['subject'],
  TaskUpdate: ['taskId', 'status'],
})
const openCode = offering({
  read: ['filePath', 'offset', 'limit'],
  edit: ['filePath', 'oldString', 'newString'],
  todowrite: ['todos'],
})
const pi = offering({ read: ['path'], edit: ['path', 'edits'], bash: ['command'] })
const geminiCli = offering({
  read_file: ['file_path', 'start_line', 'end_line'],
  replace: ['file_path', 'instruction', 'old_string', 'new_string'],
  grep_search: ['pattern', 'dir_path'],
  write_todos: ['todos'],
})
const copilotCli = offering({
  view: ['path', 'view_range'],
  create: ['path', 'file_text'],
  edit: ['path', 'old_str', 'new_str'],
  grep: ['pattern', 'paths', 'output_mode'],
})
const shellOnly = offering({ exec_command: ['cmd', 'workdir'] })

function planned(operation: Operation, tools: OfferedTools): unknown {
  return planCalls(operation, tools, createTaskBoard())
}

describe('an operation becomes a call of what the client offers', () => {
  const read: Operation = { kind: 'read', path: 'a b.ts', offset: 3, limit: 2 }
  const edit: Operation = { kind: 'edit', path: 'a.ts', old: 'x', new: 'y' }

  it('reads lines of a file', () => {
    expect(planned(read, claudeCode)).toEqual([
      { name: 'Read', input: { file_path: 'a b.ts', offset: 3, limit: 2 } },
    ])
    expect(planned(read, openCode)).toEqual([
      { name: 'read', input: { filePath: 'a b.ts', offset: 3, limit: 2 } },
    ])
    expect(planned(read, pi)).toEqual([{ name: 'read', input: { path: 'a b.ts' } }])
    expect(planned(read, geminiCli)).toEqual([
      { name: 'read_file', input: { file_path: 'a b.ts', start_line: 3, end_line: 4 } },
    ])
    expect(planned(read, copilotCli)).toEqual([
      { name: 'view', input: { path: 'a b.ts', view_range: [3, 4] } },
    ])
    expect(planned({ kind: 'read', path: 'a.ts', offset: 3 }, copilotCli)).toEqual([
      { name: 'view', input: { path: 'a.ts', view_range: [3, -1] } },
    ])
    expect(planned(read, shellOnly)).toEqual([
      { name: 'exec_command', input: { cmd: "sed -n '3,4p' 'a b.ts'" } },
    ])
  })

  it('writes a file and searches a folder', () => {
    expect(planned({ kind: 'write', path: 'a.ts', content: 'x' }, copilotCli)).toEqual([
      { name: 'create', input: { path: 'a.ts', file_text: 'x' } },
    ])
    const grep: Operation = { kind: 'grep', pattern: 'x', path: 'src' }
    expect(planned(grep, geminiCli)).toEqual([
      { name: 'grep_search', input: { pattern: 'x', dir_path: 'src' } },
    ])
    expect(planned(grep, copilotCli)).toEqual([
      { name: 'grep', input: { pattern: 'x', paths: 'src', output_mode: 'content' } },
    ])
  })

  it('edits a file', () => {
    expect(planned(edit, claudeCode)).toEqual([
      { name: 'Edit', input: { file_path: 'a.ts', old_string: 'x', new_string: 'y' } },
    ])
    expect(planned(edit, geminiCli)).toEqual([
      {
        name: 'replace',
        input: {
          file_path: 'a.ts',
          instruction: 'Make the change',
          old_string: 'x',
          new_string: 'y',
        },
      },
    ])
    expect(planned(edit, copilotCli)).toEqual([
      { name: 'edit', input: { path: 'a.ts', old_str: 'x', new_str: 'y' } },
    ])
    expect(planned(edit, pi)).toEqual([
      { name: 'edit', input: { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y' }] } },
    ])
    expect(planned(edit, offering({ apply_patch: ['patchText'] }))).toEqual([
      {
        name: 'apply_patch',
        input: { patchText: '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch\n' },
      },
    ])
  })

  it('keeps a task list whole, or task by task where the client numbers them', () => {
    const first: Operation = { kind: 'todo', items: [{ content: 'A', status: 'pending' }] }
    const second: Operation = {
      kind: 'todo',
      items: [
        { content: 'A', status: 'completed' },
        { content: 'B', status: 'pending' },
      ],
    }
    expect(planned(first, openCode)).toEqual([
      {
        name: 'todowrite',
        input: { todos: [{ content: 'A', status: 'pending', priority: 'medium' }] },
      },
    ])
    expect(planned(first, geminiCli)).toEqual([
      { name: 'write_todos', input: { todos: [{ description: 'A', status: 'pending' }] } },
    ])
    const board = createTaskBoard()
    planCalls(first, claudeCode, board)
    expect(planCalls(second, claudeCode, board)).toEqual([
      { name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } },
      { name: 'TaskCreate', input: { subject: 'B', description: 'B', activeForm: 'Doing: B' } },
    ])
    expect(planned(first, shellOnly)).toEqual([
      { name: 'exec_command', input: { cmd: "printf '%s\\n' '[pending] A'" } },
    ])
  })

  it('passes a raw call on, whether or not anybody offers the tool', () => {
    const raw: Operation = { kind: 'raw', name: 'mystery', input: { a: 1 } }
    expect(planned(raw, pi)).toEqual([{ name: 'mystery', input: { a: 1 } }])
  })
})
