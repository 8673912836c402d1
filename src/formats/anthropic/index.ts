import { createBodyFormat } from '../body/create-format.ts'
import type { BodyFormat } from '../format.ts'
import { anthropicDialect } from './dialect.ts'
import { notJson } from './rules.ts'
import { check } from './validate.ts'
import { compare } from './validate-change.ts'
import { view } from './validate-view.ts'

/** Bodies of Anthropic's Messages API. */
export const anthropic: BodyFormat = createBodyFormat(anthropicDialect, {
  notJson,
  view,
  check,
  compare,
})
