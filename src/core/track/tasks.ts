import type { ListedTask } from '../words/action.ts'
import type { Operation } from '../words/operation.ts'
import {
  type ColourMark,
  colourMarkOf,
  type NamedThings,
  plainText,
  thingsNamedIn,
} from './task-names.ts'

/** A task of the agent's list, with what only its history can tell. */
export interface TrackedTask extends ListedTask {
  /** The turn at which it went into progress; null while it is not. */
  readonly inProgressSince: number | null
  readonly mark: ColourMark | null
}

/** What tasks of one colour name. */
export interface MarkedThings extends NamedThings {
  readonly mark: ColourMark
}

/** The agent's task list as it stands. Fed with operations in the order of their results. */
export interface TaskTracker {
  observe(operation: Operation): void
  current(): readonly TrackedTask[]
  /** The turn of the newest call that wrote the list or a task of it; null before the first. */
  changedAt(): number | null
  /** Tasks that have been in progress for so many turns or more. */
  stuck(turn: number, stuckTaskTurns: number): readonly TrackedTask[]
  /** What open tasks marked 🔴 or 🟡 name, the former first. */
  lifted(): readonly MarkedThings[]
  /** What tasks marked 🔵 name. */
  lowered(): readonly MarkedThings[]
  /** True when the call or result at this index shows the list as it stands, or part of it. */
  holds(item: number): boolean
}

export function createTaskTracker(): TaskTracker {
  let tasks: readonly TrackedTask[] = []
  let changedAt: number | null = null
  let written = new Set<number>()
  let read: readonly number[] = []
  let named: NamedByTasks | null = null

  /** Asked about many items between two changes of the list. */
  function marked(): NamedByTasks {
    named ??= namedByTasks(tasks)
    return named
  }

  return {
    observe(operation) {
      const { action, status, turn } = operation
      if (action.kind !== 'list' || status !== 'ok') return
      if (action.op === 'read') {
        read = itemsOf(operation)
        return
      }
      if (action.op === 'write') {
        tasks = rewritten(tasks, action.tasks, turn)
        written = new Set()
        read = []
      } else {
        for (const task of action.tasks) tasks = withTask(tasks, task, operation)
      }
      for (const item of itemsOf(operation)) written.add(item)
      changedAt = turn
      named = null
    },
    current: () => tasks,
    changedAt: () => changedAt,
    stuck: (turn, stuckTaskTurns) =>
      tasks.filter(
        ({ inProgressSince }) =>
          inProgressSince !== null && turn - inProgressSince >= stuckTaskTurns,
      ),
    lifted: () => marked().lifted,
    lowered: () => marked().lowered,
    holds: (item) => written.has(item) || read.includes(item),
  }
}

function itemsOf({ call, result }: Operation): readonly number[] {
  return result === null ? [call.index] : [call.index, result.index]
}

interface NamedByTasks {
  readonly lifted: readonly MarkedThings[]
  readonly lowered: readonly MarkedThings[]
}

function namedByTasks(tasks: readonly TrackedTask[]): NamedByTasks {
  const isOpen = ({ status }: TrackedTask): boolean =>
    status !== 'completed' && status !== 'cancelled'
  const by = (from: readonly TrackedTask[], mark: ColourMark): readonly MarkedThings[] =>
    from
      .filter((task) => task.mark === mark)
      .map((task) => ({ mark, ...thingsNamedIn(task.content) }))
  const open = tasks.filter(isOpen)
  return {
    lifted: [...by(open, 'critical'), ...by(open, 'important')],
    lowered: by(tasks, 'ephemeral'),
  }
}

/**
 * The new list, with what is known of the tasks that it goes on with: those of the same id, and, where there is no such
 * id, those of the same text. Each old task is found once, so that equal texts stay apart.
 */
function rewritten(
  before: readonly TrackedTask[],
  listed: readonly ListedTask[],
  turn: number,
): readonly TrackedTask[] {
  const left = new Set(before)
  const found = new Map<ListedTask, TrackedTask>()
  const pair = (task: ListedTask, old: TrackedTask | undefined): void => {
    if (old === undefined || found.has(task)) return
    found.set(task, old)
    left.delete(old)
  }
  const byId = grouped(before, (task) => task.id)
  for (const task of listed) {
    if (task.id !== null)
      pair(
        task,
        byId.get(task.id)?.find((old) => left.has(old)),
      )
  }
  const byText = grouped(before, (task) => plainText(task.content))
  for (const task of listed) {
    pair(
      task,
      byText.get(plainText(task.content))?.find((old) => left.has(old)),
    )
  }
  return listed.map((task) => tracked(task, found.get(task), turn))
}

function grouped(
  tasks: readonly TrackedTask[],
  keyOf: (task: TrackedTask) => string | null,
): ReadonlyMap<string, readonly TrackedTask[]> {
  const groups = new Map<string, TrackedTask[]>()
  for (const task of tasks) {
    const key = keyOf(task)
    if (key === null) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [task])
    else group.push(task)
  }
  return groups
}

function tracked(task: ListedTask, old: TrackedTask | undefined, turn: number): TrackedTask {
  const since = old?.inProgressSince ?? turn
  return {
    ...task,
    inProgressSince: task.status === 'in_progress' ? since : null,
    mark: colourMarkOf(task.content),
  }
}

/** The list after one task was made or changed. A task that nobody has seen is taken in as far as the call tells. */
function withTask(
  tasks: readonly TrackedTask[],
  task: ListedTask,
  operation: Operation,
): readonly TrackedTask[] {
  const id = task.id ?? idInResult(operation)
  const at = id === null ? -1 : tasks.findIndex((each) => each.id === id)
  const old = tasks[at]
  if (old === undefined) return [...tasks, tracked({ ...task, id }, undefined, operation.turn)]
  const changed = {
    id,
    content: mentions(operation, 'subject|content|title|step') ? task.content : old.content,
    status: mentions(operation, 'status|state') ? task.status : old.status,
    priority: task.priority ?? old.priority,
  }
  return tasks.with(at, tracked(changed, old, operation.turn))
}

/** What an update does not mention stays as it was. Keys inside a string have an escape before their quote. */
function mentions({ call }: Operation, keys: string): boolean {
  return new RegExp(`"(?:${keys})"\\s*:`, 'i').test(call.text)
}

/** Who makes a task learns its id from the answer: `Task #3 created`, or a field of JSON. */
function idInResult({ reading }: Operation): string | null {
  const start = reading?.body.slice(0, 2000) ?? ''
  const found = /\btask #([\w-]+)|"(?:task_?)?id"\s*:\s*"?([\w-]+)/i.exec(start)
  return found?.[1] ?? found?.[2] ?? null
}
