import type { FormatName, Violation } from './format.ts'
import type { FamilyTrait } from './model-family.ts'

/** A provider's rule for requests. */
export interface Rule {
  /** Stable, for example `anthropic/tool-result-without-use`. */
  readonly id: string
  readonly format: FormatName
  /** `request`: checked on one request. `change`: checked by comparing a request with its original. */
  readonly scope: 'request' | 'change'
  /** The trait of the model families that the rule applies to. */
  readonly families: FamilyTrait | 'all'
  /** The error message, with `{names}` as placeholders for positions and ids. */
  readonly words: string
  /** False if the provider's wording is unknown, so the message is our own. */
  readonly quoted: boolean
  /** Where the rule is documented or was observed. */
  readonly source: string
}

type MakeRule = (
  name: string,
  words: string,
  source: string,
  rest?: Partial<Pick<Rule, 'families' | 'quoted'>>,
) => Rule

/** Creates rules for single requests. By default they quote the provider. */
export function requestRules(format: FormatName, usual = { quoted: true }): MakeRule {
  return (name, words, source, { families = 'all', quoted = usual.quoted } = {}) => {
    return { id: `${format}/${name}`, format, scope: 'request', families, words, quoted, source }
  }
}

/** Creates rules for changes. By default they are in our own words. */
export function changeRules(format: FormatName): MakeRule {
  return (name, words, source, { families = 'all', quoted = false } = {}) => {
    return { id: `${format}/${name}`, format, scope: 'change', families, words, quoted, source }
  }
}

/** The violation of a rule, with its placeholders filled in. `{where}` is always available. */
export function violationOf(
  rule: Rule,
  where: string,
  values: Readonly<Record<string, string | number>> = {},
): Violation {
  const message = rule.words.replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(name === 'where' ? where : (values[name] ?? whole)),
  )
  return { rule: rule.id, where, message }
}

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
