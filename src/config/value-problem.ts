import type * as z from 'zod'
import { nearest } from './nearest.ts'

export interface ValueProblem {
  readonly path: readonly PropertyKey[]
  /** Names the key and what is allowed there. */
  readonly message: string
}

/** Describes a bad value. Where a key allows several forms, it describes the one closest to the value. */
export function describeIssue(issue: z.core.$ZodIssue | undefined): ValueProblem {
  if (issue === undefined) return { path: [], message: 'the configuration is not valid.' }
  const { path, what } = explain(issue)
  const name = path.length === 0 ? 'the configuration' : `\`${path.join('.')}\``
  return { path, message: `${name}: ${what}${what.endsWith('?') ? '' : '.'}` }
}

interface Explanation {
  readonly path: readonly PropertyKey[]
  readonly what: string
}

function explain(issue: z.core.$ZodIssue): Explanation {
  const { path } = issue
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.flatMap(([first]) => (first === undefined ? [] : [first]))
    const near = branches.find((each) => each.path.length > 0 || each.code !== 'invalid_type')
    if (near !== undefined) {
      const { path: below, what } = explain(near)
      return { path: [...path, ...below], what }
    }
    const forms = branches.flatMap((each) => (each.code === 'invalid_type' ? [each.expected] : []))
    if (forms.length > 0) return { path, what: `invalid input: expected ${forms.join(' or ')}` }
  }
  if (issue.code === 'invalid_value' && typeof issue.input === 'string') {
    const guess = nearest(issue.input, issue.values.map(String))
    if (guess !== null) return { path, what: `${issue.message}. Did you mean "${guess}"?` }
  }
  return { path, what: issue.message }
}
