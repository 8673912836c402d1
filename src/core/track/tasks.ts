import type { ListedTask } from '../words/action.ts'
import { addToList } from '../words/lists.ts'
import type { Operation } from '../words/operation.ts'
import {
  type ColourMark,
  colourMarkOf,
  plainText,
  type References,
  referencesIn,
} from './task-names.ts'

/** A task of the agent's list, with facts from its history. */
export interface TrackedTask extends ListedTask {
  /** The turn at which its status became `in_progress`; null when it is not. */
  readonly inProgressSince: number | null
  readonly mark: ColourMark | null
}

/** The files and handles named by a task, with its colour mark. */
export interface MarkedReferences extends References {
  readonly mark: ColourMark
}

/** The agent's current task list. Call `observe` with operations in the order of their results. */
export interface TaskTracker {
  observe(operation: Operation): void
  current(): readonly TrackedTask[]
  /** The turn of the newest call that changed the list; null before the first. */
  changedAt(): number | null
  /** Tasks that have been in progress for at least `stuckTaskTurns` turns. */
  stuck(turn: number, stuckTaskTurns: number): readonly TrackedTask[]
  /** Files and handles named by open tasks marked 🔴 or 🟡, the former first. */
  markedImportant(): readonly MarkedReferences[]
  /** Files and handles named by tasks marked 🔵. */
  markedEphemeral(): readonly MarkedReferences[]
  /** True when the call or result at this index shows the current list or part of it. */
  holds(item: number): boolean
}

export function createTaskTracker(): TaskTracker {
  let tasks: readonly TrackedTask[] = []
  let changedAt: number | null = null
  let written = new Set<number>()
  let read: readonly number[] = []
  let named: NamedByTasks | null = null

  /** Computed once per change of the list. */
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
      const before = tasks
      if (action.op === 'write') {
        tasks = rewritten(tasks, action.tasks, turn)
        written = new Set()
        read = []
      } else {
        for (const task of action.tasks) tasks = withTask(tasks, task, operation)
      }
      for (const item of itemsOf(operation)) written.add(item)
      if (changedAt !== null && isSameList(before, tasks)) return
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
    markedImportant: () => marked().important,
    markedEphemeral: () => marked().ephemeral,
    holds: (item) => written.has(item) || read.includes(item),
  }
}

/** The same tasks with the same status, however often the agent writes them. */
function isSameList(before: readonly TrackedTask[], after: readonly TrackedTask[]): boolean {
  return (
    before.length === after.length &&
    after.every((task, at) => {
      const old = before[at]
      return old?.content === task.content && old.status === task.status
    })
  )
}

function itemsOf({ call, result }: Operation): readonly number[] {
  return result === null ? [call.index] : [call.index, result.index]
}

interface NamedByTasks {
  readonly important: readonly MarkedReferences[]
  readonly ephemeral: readonly MarkedReferences[]
}

function namedByTasks(tasks: readonly TrackedTask[]): NamedByTasks {
  const isOpen = ({ status }: TrackedTask): boolean =>
    status !== 'completed' && status !== 'cancelled'
  const by = (from: readonly TrackedTask[], mark: ColourMark): readonly MarkedReferences[] =>
    from
      .filter((task) => task.mark === mark)
      .map((task) => ({ mark, ...referencesIn(task.content) }))
  const open = tasks.filter(isOpen)
  return {
    important: [...by(open, 'critical'), ...by(open, 'important')],
    ephemeral: by(tasks, 'ephemeral'),
  }
}

/**
 * The new list, keeping the history of tasks that were in the old one. Tasks are matched by id first, then by text; each
 * old task is matched at most once.
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
    if (key !== null) addToList(groups, key, task)
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

/** The list after one task was created or updated. An update of an unknown task adds it. */
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
    content: inputHas(operation, 'subject|content|title|step') ? task.content : old.content,
    status: inputHas(operation, 'status|state') ? task.status : old.status,
    priority: task.priority ?? old.priority,
  }
  return tasks.with(at, tracked(changed, old, operation.turn))
}

/** True when the input has one of these keys. A key inside a string does not match, because its quote is escaped. */
function inputHas({ call }: Operation, keys: string): boolean {
  return new RegExp(`"(?:${keys})"\\s*:`, 'i').test(call.text)
}

/** The id of a created task from the tool's result: `Task #3 created`, or a JSON field. */
function idInResult({ reading }: Operation): string | null {
  const start = reading?.body.slice(0, 2000) ?? ''
  const found = /\btask #([\w-]+)|"(?:task_?)?id"\s*:\s*"?([\w-]+)/i.exec(start)
  return found?.[1] ?? found?.[2] ?? null
}
