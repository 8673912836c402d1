import type { BodyFormatName, Violation } from './format.ts'
import type { FamilyTrait } from './model-family.ts'

/** What a provider demands of a request, as data. */
export interface Rule {
  /** Stable, for example `anthropic/tool-result-without-use`. */
  readonly id: string
  readonly format: BodyFormatName
  /** `request`: seen on one request. `change`: seen only by comparing a request with what it was made from. */
  readonly scope: 'request' | 'change'
  /** The trait of the model families that it holds for. */
  readonly families: FamilyTrait | 'all'
  /** The error's text, with `{names}` where positions and ids go. */
  readonly words: string
  /** False where no provider says it in words that we know, so that the words are ours. */
  readonly quoted: boolean
  /** Where it is known from. */
  readonly source: string
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

/** Adds to a list without spreading, which a body with very many violations would turn into a stack overflow. */
export function addAll<Element>(list: Element[], more: readonly Element[]): void {
  for (const element of more) list.push(element)
}
