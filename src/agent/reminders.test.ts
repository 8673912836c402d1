import { describe, expect, it } from 'vitest'
import { engineFor, messagesOf, only, type ToldTurn } from '../../test/engine/told-session.ts'
import { type Reminder, reminderFor } from './reminders.ts'

const reminding = only({
  todoReminder: {
    enabled: true,
    initialTurns: 8,
    repeatTurns: 4,
    stuckTaskTurns: 12,
    maxContextTokens: 100_000,
  },
  automataMode: { enabled: true, initialTurns: 8 },
})
const list = (id: string, status: string): ToldTurn => [
  {
    id,
    tool: 'todowrite',
    input: { todos: [{ id: '1', content: 'The work', status }] },
    output: 'ok',
  },
]
const idle: ToldTurn = []

/** The reminder of each request, by its turn. */
function reminders(
  turns: readonly ToldTurn[],
  { settings = reminding, automataSince = null as number | null } = {},
): Readonly<Record<number, Reminder['kind']>> {
  const engine = engineFor(settings)
  const found: Record<number, Reminder['kind']> = {}
  for (let told = 0; told <= turns.length; told++) {
    const { turn } = engine.request(messagesOf(turns.slice(0, told)))
    const reminder = reminderFor({
      engine,
      settings,
      turn,
      context: () => ({ usedTokens: 0, limitTokens: null }),
      automataSince,
    })
    if (reminder !== null) found[turn] = reminder.kind
  }
  return found
}

const flow: readonly ToldTurn[] = [
  list('a', 'pending'),
  idle,
  list('b', 'in_progress'),
  idle,
  list('c', 'in_progress'),
  ...Array.from({ length: 10 }, () => idle),
]

describe('the reminder', () => {
  it('follows the flow of the documents: stuck at turn 15, counted from turn 3', () => {
    expect(reminders(flow)).toEqual({ 11: 'todo', 15: 'stuck' })
    const engine = engineFor(reminding)
    const { turn } = engine.request(messagesOf(flow.slice(0, 14)))
    const told = reminderFor({
      engine,
      settings: reminding,
      turn,
      context: () => ({ usedTokens: 48_000, limitTokens: 200_000 }),
      automataSince: null,
    })
    expect(told?.text).toContain('A task has been in progress for 12 turns.')
    expect(told?.text).toContain('- [in_progress] The work')
    expect(told?.text).toContain('Context: 48% (~48K of 100K tokens).')
  })

  it('has one pace, and carries the guidance for as long as the task is stuck', () => {
    const longer = [...flow, ...Array.from({ length: 10 }, () => idle)]
    expect(reminders(longer)).toEqual({ 11: 'todo', 15: 'stuck', 19: 'stuck', 23: 'stuck' })
  })

  it('counts from the last change of the list, not from its repetition', () => {
    const changed = [...flow.slice(0, 8), list('d', 'pending'), ...flow.slice(8)]
    expect(reminders(changed)).toEqual({ 17: 'todo' })
  })

  it('is never there without a task list, nor when all is done, nor when switched off', () => {
    const idles = Array.from({ length: 30 }, () => idle)
    expect(reminders(idles, { automataSince: 1 })).toEqual({})
    expect(reminders([list('a', 'completed'), ...idles])).toEqual({})
    expect(reminders(flow, { settings: only({}) })).toEqual({})
  })

  it('is gone when the list changes', () => {
    const worked = [...flow.slice(0, 12), list('d', 'completed'), idle, idle, idle]
    expect(reminders(worked)).toEqual({ 11: 'todo' })
  })

  it('asks for reflection at its own pace, once the user has asked for it', () => {
    const worked = [list('a', 'completed'), ...Array.from({ length: 20 }, () => idle)]
    expect(reminders(worked, { automataSince: 1 })).toEqual({ 9: 'reflection', 17: 'reflection' })
  })

  it('measures the context by the user’s own limit, and never by more than the model has', () => {
    const said = (maxContextTokens: number, limitTokens: number): string => {
      const settings = only({ todoReminder: { ...reminding.todoReminder, maxContextTokens } })
      const engine = engineFor(settings)
      const { turn } = engine.request(messagesOf(flow.slice(0, 14)))
      const context = () => ({ usedTokens: 30_000, limitTokens })
      return reminderFor({ engine, settings, turn, context, automataSince: null })?.text ?? ''
    }
    expect(said(60_000, 200_000)).toContain('Context: 50% (~30K of 60K tokens).')
    expect(said(60_000, 40_000)).toContain('Context: 75% (~30K of 40K tokens).')
  })
})
