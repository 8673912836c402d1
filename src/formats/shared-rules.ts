import type { FormatName } from './format.ts'
import { changeRules, type Rule, requestRules } from './rule.ts'

export function userTextChangedRule(format: FormatName): Rule {
  return changeRules(format)(
    'user-text-changed',
    '{where}: text of the user must stay as it was',
    'a promise of ours: user prose is never touched',
  )
}

/** Both of OpenAI's APIs answer this to a body that is not JSON. */
export function openaiNotJsonRule(format: FormatName): Rule {
  return requestRules(format)(
    'not-json',
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our help center at help.openai.com.)",
    'OpenAI API, errors',
  )
}

/** Both of OpenAI's APIs answer this to a call whose arguments are not a text. */
export function openaiArgumentsRule(format: FormatName): Rule {
  return requestRules(format)(
    'arguments-not-text',
    "Invalid type for '{where}': expected a string, but got {kind} instead.",
    'OpenAI API, errors',
  )
}
