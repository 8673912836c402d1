import { createBodyFormat } from '../body/create-format.ts'
import type { BodyFormat } from '../format.ts'
import { openaiChatDialect } from './dialect.ts'
import { notJson } from './rules.ts'
import { check } from './validate.ts'
import { compare } from './validate-change.ts'
import { view } from './validate-view.ts'

/** Bodies of OpenAI's Chat Completions API and of the many that follow it. */
export const openaiChat: BodyFormat = createBodyFormat(openaiChatDialect, {
  notJson,
  view,
  check,
  compare,
})
