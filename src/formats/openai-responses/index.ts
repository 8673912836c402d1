import { createBodyFormat } from '../body/create-format.ts'
import type { BodyFormat } from '../format.ts'
import { openaiResponsesDialect } from './dialect.ts'
import { notJson } from './rules.ts'
import { check } from './validate.ts'
import { compare } from './validate-change.ts'
import { view } from './validate-view.ts'

/** Bodies of OpenAI's Responses API. */
export const openaiResponses: BodyFormat = createBodyFormat(openaiResponsesDialect, {
  notJson,
  view,
  check,
  compare,
})
