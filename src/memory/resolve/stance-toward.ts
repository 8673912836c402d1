import type { MemoryItem } from '../item.ts'
import { isLasting } from '../understand/change-cues.ts'
import { stanceOf } from '../understand/stance.ts'
import { readWords } from '../understand/words.ts'
import type { SentenceReading } from './read-sentence.ts'
import { root, type StoredSlot } from './stored-slot.ts'

/**
 * The stance of a sentence toward an item. A lasting wish that is worded as a question is a request: `could you answer in French
 * from now on?`
 */
export function stanceToward(
  { said, plain, stance: readStance }: SentenceReading,
  { kind }: MemoryItem,
  slot: StoredSlot,
): 'statement' | 'request' | 'none' {
  const about = withPlainSubject(plain, slot)
  // `Deploy window: 14-16` is a statement.
  const stance = isLabel(plain, slot) ? 'statement' : about === plain ? readStance : stanceOf(about)
  if (stance === 'statement' || stance === 'request') return stance
  // `Use React for frontend` is a choice too, and is stored as a preference.
  if (kind !== 'fact' && prefers.test(said) && stance === 'hypothetical') return 'statement'
  if (stance === 'question' && asksYou.test(said) && isLasting(said)) return 'request'
  return 'none'
}

const speaks =
  /^(?:keeps?|says?|said|asks?|asked|tells?|told|wants?|wanted|likes?|prefers?|thinks?|argue[sd]?|claim(?:s|ed)|suggest(?:s|ed)|recommend(?:s|ed)|wrote|sent|offer(?:s|ed)|use[sd]?)$/

/**
 * Replaces a subject that names the property by `it`. Otherwise the words of the property could be misread: `the error budget
 * shrank` is not an error message.
 */
function withPlainSubject(sentence: string, { frame }: StoredSlot): string {
  const { words } = readWords(sentence)
  const first = /^(?:the|my|our)$/.test(words[0]?.lower ?? '') ? 1 : 0
  let end = first
  while (end < words.length && frame.has(root(words[end]!.lower))) end++
  const next = words[end]
  if (first === 0 || end === first || end - first < frame.size / 2) return sentence
  if (next === undefined || speaks.test(next.lower)) return sentence
  return `it ${sentence.slice(next.start)}`
}

/** A wish to change a decision: `Vue would be better for this`. */
export const prefers: RegExp =
  /^(?<value>\S+(?:\s+\S+){0,3}?)\s+(?:(?:would|will) be (?:an? |the )?(?:better|nicer|simpler|easier|more suitable|right)|(?:would|will) (?:suit|fit|serve|work)\b.{0,20}\bbetter|(?:is|are) (?:a|the) (?:better|right|nicer|simpler) (?:choice|option|fit|tool|idea|way|solution)|makes? more sense)\b(?!.*\b(?:if|than|but)\b)/iu

/** Whether a text begins with the name of a property and a colon. */
function isLabel(text: string, slot: StoredSlot): boolean {
  const label = /^(?<label>[\p{L}\p{N}][\p{L}\p{N} _-]{2,40}):\s*\S/u.exec(text)?.groups?.label
  if (label === undefined) return false
  return readWords(label).words.every(({ lower }) => slot.frame.has(root(lower)))
}

const asksYou = /\b(?:(?:could|can|would|will) you|please)\b/i
