import { automataSince } from '../agent/automata.ts'
import { budgetOf } from '../agent/budget.ts'
import { pressureOf } from '../agent/pressure.ts'
import { adviceReminder, type Reminder, reminderFor } from '../agent/reminders.ts'
import { actOnTrigger, triggerAdvice, triggerFor } from '../agent/triggers.ts'
import type { TriggerLimits } from '../core/words/settings.ts'
import type { Conversation, RequestSize } from './conversation.ts'

/** Turns between two pieces of advice about the size of the context. */
const adviceTurns = 10

/** The reminder at the end of the next request; null when there is none. */
export function tailReminder(conversation: Conversation): Reminder | null {
  const { engine, settings, turn } = conversation
  if (turn === null) return null
  const session = conversation.agentSession()
  const reminder = reminderFor({
    engine,
    settings,
    turn,
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
  if (reminder !== null || (advisedAt !== null && turn - advisedAt < adviceTurns)) return reminder
  conversation.advisedAt = turn
  return adviceReminder(triggerAdvice(trigger, budget))
}

/** Whether the request is large enough for any trigger. Most are not. */
function isPossible(
  { tokens, thinking }: RequestSize,
  factor: number,
  { historicalTokens, aggressiveTokens, thinkingTokens }: TriggerLimits,
): boolean {
  const smallest = Math.min(historicalTokens, aggressiveTokens)
  return tokens * factor > smallest || thinking * factor > thinkingTokens
}
