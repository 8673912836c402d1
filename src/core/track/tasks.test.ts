import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messagesOf, type ToldTurn, understanding } from '../../../test/engine/told-session.ts'
import { createRecord } from '../record/record.ts'
import { createOperations } from './operations.ts'
import { createTaskTracker, type TaskTracker, type TrackedTask } from './tasks.ts'

/** The tracker after the given turns; null is a turn without a tool. */
function trackerAfter(turns: readonly (ToldTurn | null)[]): TaskTracker {
  const tracker = createTaskTracker()
  const operations = createOperations(understanding)
  const record = createRecord()
  record.append(messagesOf(turns.map((turn) => turn ?? [])))
  for (const message of record.messages) {
    for (const operation of operations.observe(message)) tracker.observe(operation)
  }
  return tracker
}

let calls = 0
const call = (tool: string, input: object, output = 'ok', status?: 'error'): ToldTurn => [
  { id: `c${calls++}`, tool, input: { ...input }, output, ...(status && { status }) },
]
const write = (...todos: readonly object[]): ToldTurn => call('todowrite', { todos })
const sinceById = (tracker: TaskTracker): readonly (readonly [string | null, number | null])[] =>
  tracker.current().map(({ id, inProgressSince }) => [id, inProgressSince])

describe('the task list', () => {
  it('counts progress from the turn at which a task went into it, and keeps that while it lasts', () => {
    const doing = { id: '1', content: 'a', status: 'in_progress' }
    const turns = [write({ id: '1', content: 'a', status: 'pending' }), null, write(doing), null]
    expect(trackerAfter([...turns, write(doing), null]).current()).toEqual<TrackedTask[]>([
      {
        id: '1',
        content: 'a',
        status: 'in_progress',
        priority: null,
        inProgressSince: 3,
        mark: null,
      },
    ])
  })

  it('counts anew when a task was put aside in between', () => {
    const doing = { id: '1', content: 'a', status: 'in_progress' }
    const tracker = trackerAfter([
      write(doing),
      write({ ...doing, status: 'pending' }),
      write(doing),
    ])
    expect(sinceById(tracker)).toEqual([['1', 3]])
  })

  it('knows tasks without ids by their text, each by its own', () => {
    const tracker = trackerAfter([
      write(
        { content: 'first', status: 'in_progress' },
        { content: 'second', status: 'pending' },
        { content: 'third', status: 'pending' },
      ),
      write(
        { content: 'second', status: 'in_progress' },
        { content: '🔴  first', status: 'in_progress' },
        { content: 'third', status: 'pending' },
      ),
    ])
    expect(
      tracker.current().map(({ content, inProgressSince }) => [content, inProgressSince]),
    ).toEqual([
      ['second', 2],
      ['🔴  first', 1],
      ['third', null],
    ])
  })

  it('keeps two tasks of the same text apart', () => {
    const pending = { content: 'same', status: 'pending' }
    const doing = { content: 'same', status: 'in_progress' }
    const tracker = trackerAfter([write(doing, pending), write(doing, doing)])
    expect(tracker.current().map((task) => task.inProgressSince)).toEqual([1, 2])
  })

  it('takes in tasks that are made and changed one by one, with the ids of the answers', () => {
    const tracker = trackerAfter([
      call('TaskCreate', { subject: 'one', description: 'd' }, 'Task #7 created successfully: one'),
      call('TaskCreate', { subject: 'two', description: 'd' }, '{"task_id": 8}'),
      call('TaskUpdate', { taskId: '7', status: 'in_progress' }),
      call('TaskUpdate', { taskId: '7', description: 'with "status": in its words' }),
      call('TaskUpdate', { taskId: '8', status: 'completed' }),
      call('TaskUpdate', { taskId: '9', status: 'in_progress' }),
    ])
    expect(
      tracker.current().map(({ id, content, status, inProgressSince }) => ({
        id,
        content,
        status,
        inProgressSince,
      })),
    ).toEqual([
      { id: '7', content: 'one', status: 'in_progress', inProgressSince: 3 },
      { id: '8', content: 'two', status: 'completed', inProgressSince: null },
      { id: '9', content: '', status: 'in_progress', inProgressSince: 6 },
    ])
    expect(tracker.changedAt()).toBe(6)
  })

  it('is not changed by a call that failed, nor by one that only looks', () => {
    const list = write({ id: '1', content: 'a', status: 'pending' })
    const failed = call('todowrite', { todos: [] }, 'no such file', 'error')
    const tracker = trackerAfter([list, failed, call('todoread', {})])
    expect(sinceById(tracker)).toEqual([['1', null]])
    expect(tracker.changedAt()).toBe(1)
  })

  it('says where the list stands: in the newest write, what changed it since, and the newest read', () => {
    const record = createRecord()
    const turns = [
      write({ content: 'old' }),
      call('todoread', {}),
      write({ content: 'new' }),
      call('TaskCreate', { subject: 'more' }),
      call('todoread', {}),
      call('todoread', {}),
    ]
    record.append(messagesOf(turns))
    const tracker = trackerAfter(turns)
    const held = record.items.filter((item) => tracker.holds(item.index)).map((item) => item.turn)
    expect(held).toEqual([3, 3, 4, 4, 6, 6])
  })
})

describe('a stuck task', () => {
  it('is one that has been in progress for so many turns, and not one fewer', () => {
    const tracker = trackerAfter([
      null,
      null,
      write({ id: '1', content: 'a', status: 'in_progress' }, { id: '2', content: 'b' }),
    ])
    expect(tracker.stuck(14, 12)).toEqual([])
    expect(tracker.stuck(15, 12).map((task) => task.id)).toEqual(['1'])
  })

  it('is never one that is not in progress, whatever lists were written', () => {
    const status = fc.constantFrom('pending', 'in_progress', 'completed')
    const task = fc.record({
      id: fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined }),
      content: fc.constantFrom('a', 'b', 'c'),
      status,
    })
    fc.assert(
      fc.property(fc.array(fc.array(task, { maxLength: 4 }), { minLength: 1 }), (lists) => {
        const tracker = trackerAfter(lists.map((todos) => write(...todos)))
        expect(tracker.current()).toHaveLength(lists.at(-1)?.length ?? 0)
        for (const each of tracker.current()) {
          const since = each.inProgressSince
          expect(since !== null).toBe(each.status === 'in_progress')
          if (since === null) continue
          // Some task was in progress in every list since then.
          for (const todos of lists.slice(since - 1)) {
            expect(todos.some((todo) => todo.status === 'in_progress')).toBe(true)
          }
        }
      }),
    )
  })
})

describe('colour marks', () => {
  it('lift what open tasks name, lower what 🔵 ones name, and leave out what is done', () => {
    const tracker = trackerAfter([
      write(
        { content: '🟡 keep src/core/engine.ts:12 and `b.py`', status: 'in_progress' },
        { content: '🔴 CRITICAL: a1b2c3, see C:\\app\\main.cs.', status: 'pending' },
        { content: '🔴 done with old.ts', status: 'completed' },
        { content: '🟢 read notes.md', status: 'pending' },
        { content: '🔵 logs/run.txt (https://x.org/y.html)', status: 'completed' },
      ),
    ])
    expect(tracker.markedImportant()).toEqual([
      { mark: 'critical', paths: ['C:/app/main.cs'], handles: ['a1b2c3'] },
      { mark: 'important', paths: ['src/core/engine.ts', 'b.py'], handles: [] },
    ])
    expect(tracker.markedEphemeral()).toEqual([
      { mark: 'ephemeral', paths: ['logs/run.txt'], handles: [] },
    ])
    expect(tracker.current().map((task) => task.mark)).toEqual([
      'important',
      'critical',
      'critical',
      'normal',
      'ephemeral',
    ])
  })
})
