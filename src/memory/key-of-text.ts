import { claimsOf } from './extract/claims-of-message.ts'
import { valuePhrase } from './extract/value-phrase.ts'
import { knownValue } from './lexicon/lookup.ts'

/** The attribute and value of a fact or a decision, when its text names a known value. */
export function keyOfText(text: string): { readonly attribute?: string; readonly value?: string } {
  const asSaid = text.replace(/^(?:the )?user (?:is|prefers|uses|likes|works|lives)/i, (subject) =>
    subject
      .replace(/^(?:the )?user /i, 'I ')
      .replace(/ is$/i, ' am')
      .replace(/(prefer|use|like|work|live)s$/i, '$1'),
  )
  const [claim, ...more] = claimsOf(asSaid)
  if (more.length > 0) return {}
  if (claim?.attribute !== undefined && claim.value !== undefined)
    return { attribute: claim.attribute, value: claim.value }
  const used = /^(?:use|adopt|go with|choose|migrate to|switch to|move to)\s+(?<value>.+)$/i.exec(
    text,
  )?.groups?.value
  const known = used === undefined ? undefined : (valuePhrase(used)?.known ?? knownValue(used))
  return known ? { attribute: known.attribute.name, value: known.value } : {}
}
