import type { Format } from '../format.ts'
import { read } from './read.ts'
import { rewrite } from './rewrite.ts'
import { validate } from './validate.ts'
import { validateChange } from './validate-change.ts'

/**
 * The AI SDK: model messages as an application keeps them, and the prompt that a language model (or a middleware
 * around one) gets.
 */
export const aiSdk: Format<readonly unknown[]> = {
  name: 'ai-sdk',
  read,
  rewrite,
  validate,
  validateChange,
}
