import { type JsonObject, objectOf, parseJson } from '../../core/words/json.ts'
import type {
  Body,
  BodyFormat,
  RewriteCheckOptions,
  ValidateOptions,
  Violation,
} from '../format.ts'
import { type ModelFamily, modelFamily } from '../model-family.ts'
import { type Rule, violationOf } from '../rule.ts'
import type { Dialect } from './dialect.ts'
import { readBody } from './read-body.ts'
import { rewriteBody } from './rewrite-body.ts'

/** A body as the checks of a format see it. */
export interface BodyView {
  readonly body: JsonObject
}

/** The checks of a provider's API. */
export interface Checks<View extends BodyView> {
  readonly notJson: Rule
  /** The body with the paths of its messages, or a violation if it has none. */
  view(body: JsonObject): View | Violation
  check(view: View, family: ModelFamily): Iterable<Violation>
  /**
   * Reports changes that are not allowed. `after` may have more messages than `before`, so a request can also be compared
   * with the previous one.
   */
  compare(before: View, after: View, family: ModelFamily): Iterable<Violation>
}

/** Creates the format of an HTTP body from its dialect and its checks. */
export function createBodyFormat<View extends BodyView>(
  dialect: Dialect,
  { notJson, view, check, compare }: Checks<View>,
): BodyFormat {
  return {
    name: dialect.name,
    read: (source, previous) => readBody(dialect, source, previous),
    rewrite: (read, changes, from) => rewriteBody(dialect, read, changes, from),
    validate: (source, options = {}) => violations(look(source), options),
    /** Reports nothing if a body cannot be read. */
    validateChange: (before, after, options = {}) =>
      differences(look(before), look(after), options),
    validateRewrite(original, rewritten, options = {}) {
      const [before, after] = [look(original), look(rewritten)]
      const changed = differences(before, after, options).find(({ rule }) => !prefixRule.test(rule))
      if (changed !== undefined) return changed
      const unbound = changedPrefix(after, options)
      if (unbound !== null) return unbound
      const broken = violations(after, options)
      if (broken.length === 0) return null
      const known = new Set(violations(before, options).map(keyOf))
      return broken.find((violation) => !known.has(keyOf(violation))) ?? null
    },
  }

  /** Parses a body. All checks of it share the result. */
  function look(source: Body): View | Violation {
    const parsed = parseBody(source)
    return parsed === undefined ? violationOf(notJson, '') : view(objectOf(parsed))
  }

  function violations(seen: View | Violation, options: ValidateOptions): readonly Violation[] {
    return isViolation(seen) ? [seen] : [...check(seen, familyOf(seen, options))]
  }

  function differences(
    before: View | Violation,
    after: View | Violation,
    options: ValidateOptions,
  ): readonly Violation[] {
    if (isViolation(before) || isViolation(after)) return []
    return [...compare(before, after, familyOf(after, options))]
  }

  function changedPrefix(
    after: View | Violation,
    { sentBefore, ...options }: RewriteCheckOptions,
  ): Violation | null {
    if (sentBefore === undefined || isViolation(after)) return null
    if (!familyOf(after, options).bindsReasoning) return null
    const changed = differences(look(sentBefore), after, options)
    return changed.find(({ rule }) => prefixRule.test(rule)) ?? null
  }
}

/** Something before reasoning was changed. */
const prefixRule = /\/prefix-changed$/

function keyOf({ rule, where }: Violation): string {
  return `${rule} ${where}`
}

function familyOf({ body }: BodyView, options: ValidateOptions): ModelFamily {
  const model = options.model ?? body.model
  return modelFamily(typeof model === 'string' ? model : '')
}

function isViolation(seen: BodyView | Violation): seen is Violation {
  return 'rule' in seen
}

/** The parsed body, or undefined if it is not JSON. */
function parseBody(source: Body): unknown {
  if (typeof source === 'string') return parseJson(source)
  return source instanceof Uint8Array ? parseJson(new TextDecoder().decode(source)) : undefined
}
