import { comparable } from '../comparable.ts'
import { claimsOf } from '../extract/claims-of-message.ts'
import { sameValue } from '../lexicon/lookup.ts'
import type { ShortText } from './forget-matching.ts'
import { bareLine, contains, findLines, findWords, type Span } from './forgotten-words.ts'

/** The lines of a message that contain a short text with the item's meaning. */
export function findStatements(
  shortTexts: readonly ShortText[],
): (text: string, role: string) => readonly Span[] {
  const known = shortTexts.map((short) => ({
    short,
    bare: bareLine(short.text),
    isSaid: contains(findWords([short.text])),
  }))
  return (text, role) => {
    const said = known.filter(({ isSaid }) => isSaid(text))
    if (said.length === 0) return []
    return findLines(text, (line) =>
      said.some(
        ({ short, bare, isSaid }) =>
          isSaid(line) && (bareLine(line) === bare || (role === 'user' && means(line, short))),
      ),
    )
  }
}

/** Whether a message contains a short text with the item's meaning. */
export function containsStatement(
  shortTexts: readonly ShortText[],
): (text: string, role: string) => boolean {
  const find = findStatements(shortTexts)
  return (text, role) => find(text, role).length > 0
}

/** Whether a line states the same attribute and value: `I use vim`, not `vim is missing`. */
function means(line: string, { text, attribute, value }: ShortText): boolean {
  return claimsOf(line).some((claim) => {
    if (comparable(claim.text) === comparable(text)) return true
    const isSame = [claim.value, claim.old].some(
      (said) => said !== undefined && (sameValue(said, value) || sameValue(said, text)),
    )
    const key = claim.attribute
    if (!isSame || attribute === undefined || key === undefined) return isSame
    return comparable(key) === comparable(attribute)
  })
}
