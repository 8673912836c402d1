import { describe, expect } from 'vitest'
import { hostedSession } from './hosted-session.ts'
import { row } from './statement.ts'

interface Task {
  readonly id?: string
  readonly content: string
  readonly status: string
}

const task = (status: string, content = 'The work', id: string | null = '1'): Task => ({
  ...(id === null ? {} : { id }),
  content,
  status,
})
const acp = { preset: 'acp' }
const todoReminder = (keys: object): object => ({ ...acp, tools: { todoReminder: keys } })
const suggestion = 'Task Breakdown Suggestion'

/** The reminders of a conversation by turn; `lists` has the turns at which the agent writes its task list. */
async function reminders(
  lists: Readonly<Record<number, Task>>,
  given: object = acp,
  turns = 25,
): Promise<Readonly<Record<number, string>>> {
  const session = await hostedSession({ ...given })
  const reminded: Record<number, string> = {}
  for (let turn = 1; turn <= turns; turn++) {
    const said = (await session.shown()).filter((text) => text.includes('<system-reminder>'))
    if (said.length > 0) reminded[turn] = said.join('\n')
    const list = lists[turn]
    if (list === undefined) session.conversation.answered(`Step ${turn}.`)
    else session.conversation.called('todowrite', { todos: [list] }, 'ok')
  }
  return reminded
}

/** At which turns there is a reminder, and whether it suggests to break the task down. */
async function suggestions(
  ...flow: Parameters<typeof reminders>
): Promise<Readonly<Record<number, boolean>>> {
  const entries = Object.entries(await reminders(...flow))
  return Object.fromEntries(entries.map(([turn, text]) => [turn, text.includes(suggestion)]))
}

/** The turns at which a task counts as stuck for so long. */
async function stuck(
  ...flow: Parameters<typeof reminders>
): Promise<Readonly<Record<number, number>>> {
  const entries = Object.entries(await reminders(...flow)).flatMap(([turn, text]) => {
    const found = /has been in progress for (\d+) turns/.exec(text)
    return found === null ? [] : [[turn, Number(found[1])]]
  })
  return Object.fromEntries(entries)
}

/** The example of the document. */
const example = { 1: task('pending'), 3: task('in_progress'), 5: task('in_progress') }

describe('stuck task detection', () => {
  row('000-13', async () => {
    expect(await stuck({ 1: task('in_progress') }, acp, 15)).toEqual({ 13: 12 })
    expect(await stuck({ 1: task('pending') }, acp, 25)).toEqual({})
  })

  row('000-30', async () => {
    expect(await suggestions(example, acp, 15)).toEqual({ 11: false, 15: true })
  })

  row('000-31', async () => {
    const without = (content: string): Task => task('in_progress', content, null)
    const { 15: known } = await stuck({ 3: without('The work'), 5: without('The work') }, acp, 15)
    expect(known).toBe(12)
    const other = { 3: without('The work'), 5: without('Quite another task') }
    expect(await stuck(other, acp, 20)).toEqual({ 17: 12 })
  })

  row('000-32', async () => {
    const lists = { 3: task('in_progress'), 4: task('pending'), 6: task('in_progress') }
    expect(await stuck(lists, acp, 20)).toEqual({ 18: 12 })
  })

  row('000-33', async () => {
    expect(await stuck(example, acp, 15)).toEqual({ 15: 12 })
    const reworded = { ...example, 5: task('in_progress', 'The same work in other words') }
    expect(await stuck(reworded, acp, 20)).toEqual({ 17: 14 })
  })

  row('000-34', async () => {
    expect(await suggestions(example)).toEqual({ 11: false, 15: true, 19: true, 23: true })
  })

  row('000-40', async () => {
    const { 15: text = '' } = await reminders(example, acp, 15)
    expect(text).toContain(
      [
        '⚠️ **Task Breakdown Suggestion**',
        "A task has been in progress for 12 turns. If you're finding it difficult to complete, consider:",
        '- Breaking it into smaller, more specific subtasks',
        '- Identifying blockers or dependencies that need resolution first',
        '- Marking it as blocked and moving to another task',
        '',
        'Use `todowrite` to split the task or update its status.',
      ].join('\n'),
    )
  })
})

describe('the reminder of the task list', () => {
  const pending = { 2: task('pending') }
  const turns = async (...flow: Parameters<typeof reminders>): Promise<readonly number[]> =>
    Object.keys(await reminders(...flow)).map(Number)

  row('000-35', async () => {
    expect(await turns(pending)).not.toEqual([])
    expect(await turns(pending, todoReminder({ enabled: false }))).toEqual([])
  })

  row('000-36', async () => {
    expect(await turns(pending, acp, 13)).toEqual([10])
    expect(await turns(pending, todoReminder({ initialTurns: 8 }), 13)).toEqual([10])
    expect(await turns(pending, todoReminder({ initialTurns: 9 }), 13)).toEqual([11])
  })

  row('000-37', async () => {
    expect(await turns(example)).toEqual([11, 15, 19, 23])
    expect(await turns(example, todoReminder({ repeatTurns: 4 }))).toEqual([11, 15, 19, 23])
    expect(await turns(example, todoReminder({ repeatTurns: 7 }))).toEqual([11, 18, 25])
  })

  row('000-38', async () => {
    const at = (stuckTaskTurns: number): ReturnType<typeof stuck> =>
      stuck(example, todoReminder({ stuckTaskTurns }), 19)
    expect(await at(12)).toEqual({ 15: 12, 19: 16 })
    expect(await at(13)).toEqual({ 19: 16 })
    expect(await at(8)).toEqual({ 11: 8, 15: 12, 19: 16 })
  })

  row('000-39', async () => {
    const keys = { initialTurns: 3, repeatTurns: 2, stuckTaskTurns: 5 }
    const expected = { 4: false, 6: true, 8: true, 10: true }
    expect(await suggestions({ 1: task('in_progress') }, todoReminder(keys), 10)).toEqual(expected)
  })
})
