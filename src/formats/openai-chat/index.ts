import type { Body, Format } from '../format.ts'
import { read } from './read.ts'
import { rewrite } from './rewrite.ts'
import { validate } from './validate.ts'
import { validateChange } from './validate-change.ts'

/** Bodies of OpenAI's Chat Completions API and of the many that speak it. */
export const openaiChat: Format<Body> = {
  name: 'openai-chat',
  read,
  rewrite,
  validate,
  validateChange,
}
