import type { Engine } from '../core/engine.ts'
import type { TrackedTask } from '../core/track/tasks.ts'
import type { Settings } from '../core/words/settings.ts'
import { shortTokens } from '../report/short-tokens.ts'
import type { Pressure } from './pressure.ts'

export type ReminderKind = 'stuck' | 'todo' | 'reflection' | 'pressure'

export interface Reminder {
  readonly kind: ReminderKind
  readonly text: string
}

export interface ReminderContext {
  readonly engine: Pick<Engine, 'tasks'>
  readonly settings: Pick<Settings, 'todoReminder' | 'automataMode'>
  /** The turn of the next request. */
  readonly turn: number
  /** How full the context is. Called only if a reminder is due. */
  context(): Pick<Pressure, 'usedTokens' | 'limitTokens'>
  /** The turn at which the user turned reflection on; null if they did not. */
  readonly automataSince: number | null
}

/**
 * The reminder that is due at this request, or null. It depends only on the turn and the task list, so that the same
 * request has the same reminder after a restart. A task list that has not changed for long comes first, with guidance when
 * one of its tasks is stuck; then reflection. Without a task list there is no reminder.
 */
export function reminderFor(scene: ReminderContext): Reminder | null {
  return todoReminder(scene) ?? reflection(scene)
}

function openTasks({ engine }: ReminderContext): readonly TrackedTask[] {
  return engine.tasks
    .current()
    .filter(({ status }) => status !== 'completed' && status !== 'cancelled')
}

function todoReminder(scene: ReminderContext): Reminder | null {
  const { enabled, initialTurns, repeatTurns } = scene.settings.todoReminder
  const changedAt = scene.engine.tasks.changedAt()
  if (!enabled || changedAt === null || openTasks(scene).length === 0) return null
  if (!isDue(scene.turn - changedAt, initialTurns, repeatTurns)) return null
  const turns = longestStuck(scene)
  if (turns === null) return { kind: 'todo', text: wrapped(listLines(scene)) }
  return { kind: 'stuck', text: wrapped([...listLines(scene), '', ...stuckGuidance(turns)]) }
}

/** For how many turns the longest stuck task has been in progress; null when none is stuck. */
function longestStuck({ engine, settings, turn }: ReminderContext): number | null {
  const { stuckTaskTurns } = settings.todoReminder
  if (stuckTaskTurns <= 0) return null
  const stuck = engine.tasks.stuck(turn, stuckTaskTurns)
  const turns = stuck.map(({ inProgressSince }) => turn - (inProgressSince ?? turn))
  return turns.length === 0 ? null : Math.max(...turns)
}

function reflection(scene: ReminderContext): Reminder | null {
  const { enabled, initialTurns } = scene.settings.automataMode
  const { automataSince, turn } = scene
  if (!enabled || automataSince === null || initialTurns <= 0) return null
  if (scene.engine.tasks.current().length === 0) return null
  if (!isDue(turn - automataSince, initialTurns, initialTurns)) return null
  return {
    kind: 'reflection',
    text: wrapped([
      'A moment for reflection: is the work still on the way to what the user asked for?',
      'What has been learnt since the plan was made, and does it change the next step?',
    ]),
  }
}

/** True after `initial` turns, and then every `repeat` turns. */
function isDue(waited: number, initial: number, repeat: number): boolean {
  if (waited < initial) return false
  return waited === initial || (repeat > 0 && (waited - initial) % repeat === 0)
}

function listLines(scene: ReminderContext): readonly string[] {
  const { engine, turn } = scene
  const since = turn - (engine.tasks.changedAt() ?? turn)
  return [
    `The task list was last changed ${since} ${since === 1 ? 'turn' : 'turns'} ago; update it when it no longer fits. ${contextLine(scene)}`,
    ...engine.tasks.current().map(({ content, status }) => `- [${status}] ${content}`),
  ]
}

/** Fullness of the configured maximum, or of the model's limit if that is smaller. */
function contextLine({ context, settings }: ReminderContext): string {
  const { usedTokens, limitTokens } = context()
  const most = Math.min(settings.todoReminder.maxContextTokens, limitTokens ?? Infinity)
  const percent = most === 0 ? 100 : Math.round((usedTokens / most) * 100)
  return `Context: ${percent}% (~${shortTokens(usedTokens)} of ${shortTokens(most)} tokens).`
}

function stuckGuidance(turns: number): readonly string[] {
  return [
    '⚠️ **Task Breakdown Suggestion**',
    `A task has been in progress for ${turns} turns. If you're finding it difficult to complete, consider:`,
    '- Breaking it into smaller, more specific subtasks',
    '- Identifying blockers or dependencies that need resolution first',
    '- Marking it as blocked and moving to another task',
    '',
    'Use `todowrite` to split the task or update its status.',
  ]
}

/** Wraps advice as a reminder. */
export function adviceReminder(text: string): Reminder {
  return { kind: 'pressure', text: wrapped([text]) }
}

function wrapped(lines: readonly string[]): string {
  return ['<system-reminder>', ...lines, '</system-reminder>'].join('\n')
}
