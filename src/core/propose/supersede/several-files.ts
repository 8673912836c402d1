import { inputFields } from '../../words/call-key.ts'
import type { Operation } from '../../words/operation.ts'

/** True for a read that was asked for more than one file, of which its action names only the first. */
export function showsSeveralFiles({ call, reading }: Operation): boolean {
  if (reading?.lines != null) return false
  if (/(many|multiple|batch).?files/i.test(call.tool)) return true
  const fields = inputFields(call.text)
  return fields !== null && [...fields.values()].some(listsSeveral)
}

/** A pair of numbers is a range of lines. */
function listsSeveral(value: unknown): boolean {
  return Array.isArray(value) && value.length > 1 && value.some((each) => typeof each !== 'number')
}
