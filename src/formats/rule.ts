import type { FormatName, Violation } from './format.ts'
import type { FamilyTrait } from './model-family.ts'

/** What a provider demands of a request, as data. */
export interface Rule {
  /** Stable, for example `anthropic/tool-result-without-use`. */
  readonly id: string
  readonly format: FormatName
  /** `request`: seen on one request. `change`: seen only by comparing a request with what it was made from. */
  readonly scope: 'request' | 'change'
  /** The trait of the model families that it holds for. */
  readonly families: FamilyTrait | 'all'
  /** The error's text, with `{names}` where positions and ids go. */
  readonly words: string
  /** False where no provider's wording is known, so that the words are ours. */
  readonly quoted: boolean
  /** Where it is known from. */
  readonly source: string
}

type MakeRule = (
  name: string,
  words: string,
  source: string,
  rest?: Partial<Pick<Rule, 'families' | 'quoted'>>,
) => Rule

/** Makes rules of a format that are seen on one request. They quote the provider unless said otherwise. */
export function requestRules(format: FormatName, usual = { quoted: true }): MakeRule {
  return (name, words, source, { families = 'all', quoted = usual.quoted } = {}) => {
    return { id: `${format}/${name}`, format, scope: 'request', families, words, quoted, source }
  }
}

/** Makes rules of a format about a change. They are in our own words unless said otherwise. */
export function changeRules(format: FormatName): MakeRule {
  return (name, words, source, { families = 'all', quoted = false } = {}) => {
    return { id: `${format}/${name}`, format, scope: 'change', families, words, quoted, source }
  }
}

/** The violation of a rule at a place, with the rule's words filled in; `{where}` is always known. */
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
