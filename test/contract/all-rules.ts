import { anthropicChangeRules } from '../../src/formats/anthropic/change-rules.ts'
import { anthropicRequestRules } from '../../src/formats/anthropic/rules.ts'
import { geminiRules } from '../../src/formats/gemini/rules.ts'
import { openaiChatRules } from '../../src/formats/openai-chat/rules.ts'
import { openaiResponsesRules } from '../../src/formats/openai-responses/rules.ts'
import type { Rule } from '../../src/formats/rule.ts'

/** Every rule that `validate` and `validateChange` of the HTTP formats know. */
export const rules: readonly Rule[] = [
  ...anthropicRequestRules,
  ...anthropicChangeRules,
  ...openaiChatRules,
  ...openaiResponsesRules,
  ...geminiRules,
]
