import type { Format } from '../format.ts'
import { read } from './read.ts'
import { rewrite } from './rewrite.ts'
import { validate } from './validate.ts'
import { validateChange } from './validate-change.ts'

export { applyInPlace } from './apply-in-place.ts'

/** OpenCode's messages with their parts, as `experimental.chat.messages.transform` gets them. */
export const opencode: Format<readonly unknown[]> = {
  name: 'opencode',
  read,
  rewrite,
  validate,
  validateChange,
}
