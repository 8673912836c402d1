import type { Action, ListedTask } from '../core/words/action.ts'
import { isJsonObject } from '../core/words/json.ts'
import { type Fields, fieldsOf } from './call-input.ts'

/** A call that replaces the whole task list: a list of tasks, or Copilot CLI's Markdown checklist. */
export function listWriteCall(fields: Fields): Action | null {
  const entries = fields.list('todos', 'plan', 'tasks', 'items', 'todolist')
  if (entries !== null) return { kind: 'list', op: 'write', tasks: entries.flatMap(entryTask) }
  const tasks = checklistTasks(fields.text('todos', 'tasks', 'todolist') ?? '')
  return tasks.length === 0 ? null : { kind: 'list', op: 'write', tasks }
}

export function listReadCall(): Action {
  return { kind: 'list', op: 'read', tasks: [] }
}

export function taskCreateCall(fields: Fields): Action | null {
  const tasks = taskOf(fields)
  return tasks.length === 0 ? null : { kind: 'list', op: 'create', tasks }
}

/** An update of a task. Its content is empty if it does not change. */
export function taskUpdateCall(fields: Fields): Action | null {
  const id = idOf(fields)
  if (id === null) return null
  const content = fields.text('subject', 'content', 'description') ?? ''
  const priority = fields.text('priority')
  const task = { id, content, status: statusOf(fields.text('status')), priority }
  return { kind: 'list', op: 'update', tasks: [task] }
}

/** A call that starts a sub-agent. */
export function subagentCall(fields: Fields): Action | null {
  const prompt = fields.text('prompt', 'message', 'task', 'objective', 'instructions', 'query')
  if (prompt === null) return null
  return {
    kind: 'task',
    description: fields.text('description', 'title', 'name', 'agentname') ?? '',
    prompt,
  }
}

function entryTask(entry: unknown): readonly ListedTask[] {
  if (typeof entry === 'string') {
    return [{ id: null, content: entry, status: 'pending', priority: null }]
  }
  return isJsonObject(entry) ? taskOf(fieldsOf(entry)) : []
}

function taskOf(fields: Fields): readonly ListedTask[] {
  const content = fields.text('content', 'subject', 'step', 'title', 'description', 'task', 'text')
  if (content === null) return []
  const done = fields.flag('done', 'completed')
  const status = done ? 'completed' : statusOf(fields.text('status', 'state'))
  return [{ id: idOf(fields), content, status, priority: fields.text('priority') }]
}

function idOf(fields: Fields): string | null {
  const number = fields.number('taskid', 'id', 'todoid')
  return fields.text('taskid', 'id', 'todoid') ?? (number === null ? null : String(number))
}

function statusOf(status: string | null): ListedTask['status'] {
  switch (status?.toLowerCase().replaceAll(/[^a-z]/g, '')) {
    case 'inprogress':
    case 'active':
    case 'doing':
    case 'started':
      return 'in_progress'
    case 'completed':
    case 'complete':
    case 'done':
    case 'finished':
      return 'completed'
    case 'cancelled':
    case 'canceled':
    case 'deleted':
    case 'skipped':
      return 'cancelled'
    default:
      return 'pending'
  }
}

function checklistTasks(text: string): readonly ListedTask[] {
  const tasks: ListedTask[] = []
  for (const line of text.split('\n')) {
    const match = /^\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s+(\S.*)$/.exec(line)
    if (match === null) continue
    const status =
      match[1] === ' ' ? 'pending' : match[1]?.toLowerCase() === 'x' ? 'completed' : 'in_progress'
    tasks.push({ id: null, content: (match[2] ?? '').trimEnd(), status, priority: null })
  }
  return tasks
}
