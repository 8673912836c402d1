import * as anthropic from './anthropic/rules.ts'
import * as gemini from './gemini/rules.ts'
import * as openaiChat from './openai-chat/rules.ts'
import * as openaiResponses from './openai-responses/rules.ts'
import type { Rule } from './rule.ts'

/** Every rule that `validate` and `validateChange` of the HTTP formats know. */
export const rules: readonly Rule[] = [anthropic, openaiChat, openaiResponses, gemini].flatMap(
  (module) => Object.values(module),
)
