import type { Rendition } from '../words/decision.ts'
import type { Operation } from '../words/operation.ts'
import { type EditRun, listIntents } from './edit-intents.ts'
import { shorterInput } from './input-note.ts'
import { bareInput } from './stripped-input.ts'

/**
 * One edit of a run with its input stripped, and the list of all their intents in its result. null when that is no
 * shorter than the input was. The handle is that of the carrier.
 */
export function editListInput(
  carrier: Operation,
  run: EditRun,
  restore: string | null,
): Rendition | null {
  const { text, handle } = carrier.call
  const input = bareInput(carrier)
  if (input === null) return null
  const list = listIntents(run, { handle, restore }, text.length - input.length - 2)
  return list === null ? null : shorterInput('distilled', input, list)
}
