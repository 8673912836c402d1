import { isJsonObject, type JsonObject, objectOf, parseJson } from '../../core/words/json.ts'
import type { Body, Format, ValidateOptions, Violation } from '../format.ts'
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
): Format<Body> {
  return {
    name: dialect.name,
    read: (source, previous) => readBody(dialect, source, previous),
    rewrite: (read, changes, from) => rewriteBody(dialect, read, changes, from),
    validate(source, options = {}) {
      const parsed = parseBody(source)
      if (parsed === undefined) return [violationOf(notJson, '')]
      const seen = view(objectOf(parsed))
      return isViolation(seen) ? [seen] : [...check(seen, familyOf(seen, options))]
    },
    /** Reports nothing if a body cannot be read. */
    validateChange(before, after, options = {}) {
      const [one, other] = [parseBody(before), parseBody(after)]
      if (!isJsonObject(one) || !isJsonObject(other)) return []
      const [old, changed] = [view(one), view(other)]
      if (isViolation(old) || isViolation(changed)) return []
      return [...compare(old, changed, familyOf(changed, options))]
    },
  }
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
