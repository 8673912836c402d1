import { objectOf } from '../core/words/json.ts'
import { handleIn } from './find-item.ts'

/** The actions of `context_prune`. */
export const pruneActions = ['discard', 'distill', 'replace'] as const

export type PruneAction = (typeof pruneActions)[number]

/** One parsed target of `context_prune`. */
export type PruneTarget =
  | { readonly kind: 'discard'; readonly handle: string }
  | { readonly kind: 'distill'; readonly handle: string; readonly summary: string }
  | {
      readonly kind: 'replace'
      readonly start: string
      readonly end: string
      readonly replacement: string
    }
  | { readonly kind: 'invalid'; readonly label: string; readonly why: string }

export type PruneRequest =
  | {
      readonly kind: 'request'
      readonly action: PruneAction
      readonly targets: readonly PruneTarget[]
    }
  | { readonly kind: 'invalid'; readonly why: string }

/** At least one of the two markers of a replacement must be longer than this. */
const shortMarker = 15

const forms: Readonly<Record<PruneAction, string>> = {
  discard: '[handle]',
  distill: '[handle, summary]',
  replace: '[start, end, replacement]',
}

/**
 * Reads the input of `context_prune`. Also accepts a single target without its outer list, plain handles, and the whole
 * list as a JSON string, because models write all of these.
 */
export function readPruneRequest(input: unknown): PruneRequest {
  const { action, targets } = objectOf(input)
  const named = pruneActions.find((each) => each === action)
  if (named === undefined) {
    return { kind: 'invalid', why: `action is one of ${pruneActions.join(', ')}` }
  }
  const list = listOf(targets)
  if (list === null || list.length === 0) {
    return { kind: 'invalid', why: `targets is a list of ${forms[named]}` }
  }
  return {
    kind: 'request',
    action: named,
    targets: tuplesOf(named, list).map((each) => targetOf(named, each)),
  }
}

function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return null
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parsed : [parsed]
  } catch {
    return [value]
  }
}

/** A flat list contains the handles to discard, or is a single target of another action. */
function tuplesOf(action: PruneAction, list: readonly unknown[]): readonly unknown[] {
  if (list.some((each) => Array.isArray(each))) return list
  return action === 'discard' ? list.map((each) => [each]) : [list]
}

function targetOf(action: PruneAction, value: unknown): PruneTarget {
  const tuple = Array.isArray(value) ? value : [value]
  const words = tuple.filter((each) => typeof each === 'string')
  const label = words[0]?.slice(0, 40) ?? String(value).slice(0, 40)
  const invalid = (why: string): PruneTarget => ({ kind: 'invalid', label, why })
  if (words.length !== tuple.length) return invalid(`a target of ${action} is ${forms[action]}`)
  const [first = '', second = '', third] = words
  if (action === 'replace') {
    if (third === undefined || words.length > 3)
      return invalid(`a target of replace is ${forms.replace}`)
    if (first === '' || second === '') return invalid('start and end are not empty')
    if (first.length <= shortMarker && second.length <= shortMarker) {
      return invalid(`start or end is longer than ${shortMarker} characters`)
    }
    return { kind: 'replace', start: first, end: second, replacement: third }
  }
  const handle = handleIn(first)
  if (handle === null) return invalid('a handle is six or more hex digits')
  if (action === 'discard') return { kind: 'discard', handle }
  const summary = second.trim()
  if (summary === '') return invalid(`a target of distill is ${forms.distill}`)
  return { kind: 'distill', handle, summary }
}
