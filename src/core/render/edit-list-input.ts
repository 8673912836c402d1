import type { Operation } from '../track/operation.ts'
import { type EditRun, listIntents } from './edit-intents.ts'
import { bareInput, intoPatch } from './stripped-input.ts'

/**
 * The input of one edit of a run, with the list of all their intents in the place of its own: under `intent` where the
 * input is JSON, before the patch's first file where it is a patch. null when it is no shorter than the input was. The handle
 * is that of the carrier.
 */
export function editListInput(carrier: Operation, run: EditRun): string | null {
  const { text, handle } = carrier.call
  const stripped = bareInput(carrier)
  if (stripped === null) return null
  const fields = parseObject(stripped)
  // Escapes and the key take room too, so that the list is tried with less until all of it fits.
  for (let room = text.length; room > 0; room = Math.floor(room * 0.8) - 1) {
    const list = listIntents(run, handle, room)
    if (list === null) return null
    const input =
      fields === null ? intoPatch(stripped, list) : JSON.stringify({ ...fields, intent: list })
    if (input.length < text.length) return input
  }
  return null
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
