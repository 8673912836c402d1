import { automataSince } from '../agent/automata.ts'
import { budgetOf } from '../agent/budget.ts'
import { pressureOf } from '../agent/pressure.ts'
import { adviceReminder, type Reminder, reminderFor } from '../agent/reminders.ts'
import { actOnTrigger, triggerAdvice, triggerFor } from '../agent/triggers.ts'
import type { TriggerLimits } from '../core/words/settings.ts'
import type { Conversation, RequestSize } from './conversation.ts'

/** Turns between two pieces of advice about the size of the context. */
const adviceTurns = 10

/** The one thing that is said behind the request that is about to be made, or null. */
export function tailReminder(conversation: Conversation): Reminder | null {
  const { engine, settings, request } = conversation
  if (request === undefined) return null
  const session = conversation.session()
  const reminder = reminderFor({
    engine,
    settings,
    turn: request.turn,
    context: () => pressureOf(session),
    automataSince: settings.automataMode.enabled ? automataSince(session.history) : null,
  })
  if (!isPossible(conversation.estimate, session.factor, settings.triggers)) return reminder
  const budget = budgetOf(session)
  const trigger = triggerFor(budget, settings.triggers)
  if (trigger === null) return reminder
  if (settings.preset === 'acp') {
    actOnTrigger(session, trigger)
    return reminder
  }
  const { advisedAt } = conversation
  if (reminder !== null || (advisedAt !== null && request.turn - advisedAt < adviceTurns))
    return reminder
  conversation.advisedAt = request.turn
  return adviceReminder(triggerAdvice(trigger, budget))
}

/** Most conversations are smaller than any trigger, and need not be looked through. */
function isPossible(
  { tokens, thinking }: RequestSize,
  factor: number,
  { historicalTokens, aggressiveTokens, thinkingTokens }: TriggerLimits,
): boolean {
  const smallest = Math.min(historicalTokens, aggressiveTokens)
  return tokens * factor > smallest || thinking * factor > thinkingTokens
}
