import { createBodyFormat } from '../body/create-format.ts'
import type { BodyFormat } from '../format.ts'
import { geminiDialect } from './dialect.ts'
import { notJson } from './rules.ts'
import { check } from './validate.ts'
import { compare } from './validate-change.ts'
import { view } from './validate-view.ts'

/** Bodies of Gemini's `generateContent` and `streamGenerateContent`. */
export const gemini: BodyFormat = createBodyFormat(geminiDialect, {
  notJson,
  view,
  check,
  compare,
})
