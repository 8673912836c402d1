import type { ObjectFormatName, Violation } from '../format.ts'

/** What a list of messages must fulfil, as data. */
export interface ObjectRule {
  /** Stable, for example `ai-sdk/tool-results-missing`. */
  readonly id: string
  readonly format: ObjectFormatName
  /** `request`: seen on one list. `change`: seen only by comparing a list with what it was made from. */
  readonly scope: 'request' | 'change'
  /** The error's text, with `{names}` where positions and ids go. */
  readonly words: string
  /** True where the host says it in these words. */
  readonly quoted: boolean
  readonly source: string
}

/** The violation of a rule at a place, with the rule's words filled in; `{where}` is always known. */
export function breach(
  rule: ObjectRule,
  where: string,
  values: Readonly<Record<string, string>> = {},
): Violation {
  const message = rule.words.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name === 'where' ? where : (values[name] ?? whole),
  )
  return { rule: rule.id, where, message }
}
