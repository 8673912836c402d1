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

/** What a provider checks in a request, in its own words. */
export interface Checks<View extends BodyView> {
  readonly notJson: Rule
  /** The body with the places of its messages, or why it has none. */
  view(body: JsonObject): View | Violation
  check(view: View, family: ModelFamily): Iterable<Violation>
  /**
   * What a change may not have done. `after` may go on after the end of `before`, so that a request can also be compared
   * with the one sent before it.
   */
  compare(before: View, after: View, family: ModelFamily): Iterable<Violation>
}

/** The format of an HTTP body, made of how it is read and what is checked in it. */
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
    /** A body that cannot be read has nothing to compare. */
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

/** undefined for whatever is not JSON, even where it is neither text nor bytes. */
function parseBody(source: Body): unknown {
  if (typeof source === 'string') return parseJson(source)
  return source instanceof Uint8Array ? parseJson(new TextDecoder().decode(source)) : undefined
}
