import type { Body, ValidateOptions, Violation } from '../format.ts'
import { parseBody } from '../json-value.ts'
import { modelFamily } from '../model-family.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { checkCacheControl } from './validate-cache.ts'
import { checkPairs, checkServerTools } from './validate-pairs.ts'
import { checkShape } from './validate-shape.ts'
import { checkEnding, checkThinking } from './validate-thinking.ts'
import { turnsOf, viewMessages } from './validate-view.ts'

/**
 * The rules of the Messages API that a request breaks, in the provider's words. Any input has an answer: a body that
 * is not JSON breaks a rule like any other.
 */
export function validate(source: Body, options: ValidateOptions = {}): readonly Violation[] {
  const parsed = parseBody(source)
  if (parsed.kind === 'not-json') return [violationOf(rules.notJson, '')]
  const body = parsed.kind === 'object' ? parsed.body : {}
  if (!Array.isArray(body.messages)) return [violationOf(rules.messagesRequired, 'messages')]
  const model = options.model ?? body.model
  const family = modelFamily(typeof model === 'string' ? model : '')
  const messages = viewMessages(body.messages)
  const turns = turnsOf(messages)
  return [
    ...checkShape(body, messages, family),
    ...checkPairs(turns),
    ...checkServerTools(messages),
    ...checkThinking(body, turns, family),
    ...checkEnding(messages, family),
    ...checkCacheControl(body),
  ]
}
