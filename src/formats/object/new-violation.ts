import type { Format, Violation } from '../format.ts'

type List = readonly unknown[]

/** The first rule that a changed list breaks and its original does not, or a change that is not allowed. */
export function newViolation(
  format: Pick<Format<List>, 'validate' | 'validateChange'>,
  before: List,
  after: List,
): Violation | null {
  const broken = format.validate(after)
  if (broken.length > 0) {
    const known = new Set(format.validate(before).map(({ rule, where }) => `${rule} ${where}`))
    const own = broken.find(({ rule, where }) => !known.has(`${rule} ${where}`))
    if (own !== undefined) return own
  }
  return format.validateChange(before, after)[0] ?? null
}
