import { guardRows } from './guard-rows.ts'
import { pruningRows } from './pruning-rows.ts'
import type { Row } from './settings-row.ts'
import { supersedingRows } from './superseding-rows.ts'

export const rows: Readonly<Record<string, Row>> = {
  ...supersedingRows,
  ...pruningRows,
  ...guardRows,
}

/** Keys that the engine does not read, and who does. */
export const readElsewhere: Readonly<Record<string, string>> = {
  preset: 'names the settings in reports; what it stands for is in all the other keys',
  editIntent: 'what the agent is offered: the definitions of its tools',
  'todoReminder.enabled': 'reminders at the tail of a request, no decision about an item',
  'todoReminder.initialTurns': 'reminders',
  'todoReminder.repeatTurns': 'reminders',
  'todoReminder.stuckTaskTurns': 'reminders',
  'todoReminder.maxContextTokens': 'reminders',
  'automataMode.enabled': 'reminders',
  'automataMode.initialTurns': 'reminders',
  pruneNotification: 'what a person is told, outside the conversation',
}
