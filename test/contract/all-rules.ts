import * as anthropic from '../../src/formats/anthropic/rules.ts'
import * as gemini from '../../src/formats/gemini/rules.ts'
import * as openaiChat from '../../src/formats/openai-chat/rules.ts'
import * as openaiResponses from '../../src/formats/openai-responses/rules.ts'
import type { Rule } from '../../src/formats/rule.ts'

/** Every rule that `validate` and `validateChange` of the HTTP formats know. */
export const rules: readonly Rule[] = [anthropic, openaiChat, openaiResponses, gemini].flatMap(
  (module) => Object.values(module),
)
