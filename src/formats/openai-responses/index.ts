import type { Body, Format } from '../format.ts'
import { read } from './read.ts'
import { rewrite } from './rewrite.ts'
import { validate } from './validate.ts'
import { validateChange } from './validate-change.ts'

/** Bodies of OpenAI's Responses API. */
export const openaiResponses: Format<Body> = {
  name: 'openai-responses',
  read,
  rewrite,
  validate,
  validateChange,
}
