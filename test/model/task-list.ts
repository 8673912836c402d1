import type { PlannedCall } from './operations.ts'
import type { TaskEntry } from './scenario.ts'
import type { OfferedTools } from './tools.ts'

/** What a client that keeps tasks one by one was told so far, in the order in which it numbers them. */
export interface TaskBoard {
  readonly entries: TaskEntry[]
}

export function createTaskBoard(): TaskBoard {
  return { entries: [] }
}

/** The calls that bring a client's task list to `items`; null when no call of its tools would. */
export function taskListCalls(
  items: readonly TaskEntry[],
  tools: OfferedTools,
  board: TaskBoard,
): readonly PlannedCall[] | null {
  if (tools.has('TodoWrite')) {
    const todos = items.map((item) => ({ ...item, activeForm: `Doing: ${item.content}` }))
    return [{ name: 'TodoWrite', input: { todos } }]
  }
  if (tools.has('todowrite')) {
    const todos = items.map((item) => ({ ...item, priority: 'medium' }))
    return [{ name: 'todowrite', input: { todos } }]
  }
  if (tools.has('write_todos')) {
    const todos = items.map(({ content, status }) => ({ description: content, status }))
    return [{ name: 'write_todos', input: { todos } }]
  }
  if (tools.has('update_plan')) {
    const steps = items.map((item) => ({ step: item.content, status: item.status }))
    return [{ name: 'update_plan', input: { plan: steps } }]
  }
  if (tools.has('TaskCreate')) return singleTaskCalls(items, tools, board)
  return null
}

function singleTaskCalls(
  items: readonly TaskEntry[],
  tools: OfferedTools,
  board: TaskBoard,
): readonly PlannedCall[] | null {
  const calls: PlannedCall[] = []
  for (const item of items) {
    const known = board.entries.findIndex((entry) => entry.content === item.content)
    if (known === -1) {
      const { content } = item
      const input = { subject: content, description: content, activeForm: `Doing: ${content}` }
      calls.push({ name: 'TaskCreate', input })
      board.entries.push({ content, status: 'pending' })
    } else if (board.entries[known]!.status !== item.status && tools.has('TaskUpdate')) {
      const input = { taskId: String(known + 1), status: item.status }
      calls.push({ name: 'TaskUpdate', input })
      board.entries[known] = item
    }
  }
  return calls.length > 0 ? calls : null
}
