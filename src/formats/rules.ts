import { anthropicChangeRules } from './anthropic/change-rules.ts'
import { anthropicRequestRules } from './anthropic/rules.ts'
import { geminiRules } from './gemini/rules.ts'
import { openaiChatRules } from './openai-chat/rules.ts'
import { openaiResponsesRules } from './openai-responses/rules.ts'
import type { Rule } from './rule.ts'

/** Every rule that `validate` and `validateChange` of the HTTP formats know. */
export const rules: readonly Rule[] = [
  ...anthropicRequestRules,
  ...anthropicChangeRules,
  ...openaiChatRules,
  ...openaiResponsesRules,
  ...geminiRules,
]
