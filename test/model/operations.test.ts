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
    expect(planned(read, shellOnly)).toEqual([
      { name: 'exec_command', input: { cmd: "sed -n '3,4p' 'a b.ts'" } },
    ])
  })

  it('edits a file', () => {
    expect(planned(edit, claudeCode)).toEqual([
      { name: 'Edit', input: { file_path: 'a.ts', old_string: 'x', new_string: 'y' } },
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
