import type { Body, Format } from '../format.ts'
import { read } from './read.ts'
import { rewrite } from './rewrite.ts'
import { validate } from './validate.ts'
import { validateChange } from './validate-change.ts'

/** Bodies of Anthropic's Messages API. */
export const anthropic: Format<Body> = {
  name: 'anthropic',
  read,
  rewrite,
  validate,
  validateChange,
}
