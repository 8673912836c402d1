import type { Format } from '../format.ts'
import { createListFormat } from '../object/create-format.ts'
import { opencodeDialect } from './dialect.ts'
import { opencodeChangeRules } from './rules.ts'
import { check } from './validate.ts'

export { applyInPlace } from './apply-in-place.ts'

/** OpenCode's messages with their parts, as `experimental.chat.messages.transform` gets them. */
export const opencode: Format<readonly unknown[]> = createListFormat(
  opencodeDialect,
  check,
  opencodeChangeRules,
)
