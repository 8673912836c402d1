import { knownValue } from '../lexicon/lookup.ts'
import { isNameLike } from '../understand/values.ts'
import type { Word } from '../understand/words.ts'
import type { Span } from './mentions.ts'
import { root, type StoredSlot } from './stored-slot.ts'

/** Words before a value. */
export const introducers: RegExp =
  /^(?:to|into|onto|is|are|'s|it's|its|was|be|been|now|with|by|use|uses|using|on|in|called|named|as|through|via|at|hello|comes?|only|us|only|go|going|goes|has|have|having|prefer|prefers|used|became|become|than|for|under|makes?|says?|say|speaks?|write|return|returns|store|serves|called|mostly|always|me|should|that's|thats|we're|were|i'm|im|answer|need|needs|requires?|taking|with|show|lives?|put|make|got|keep|targeting|support|supports|until|every|each|all|they're)$/
const arrows = /(?:→|->|=>|[:=>])\s*$/
/** Words after a value. */
const followers =
  /^(?:\s*(?:now\b|instead\b|it is\b|in\b(?:[\s🎉!.]*$|\s*[,;.])|only\b|everywhere\b|is in(?=[\s!.]*$)|comes?(?: in)?(?=\s*(?:$|[,.;!]))|from (?:now|here|this|today)\b|replaces?\b|with\b|would be\b|overtook\b|succeeds\b|succeeded\b|rather\b|going (?:forward|fwd)\b|after all\b|all the way\b|please\b|pls\b|does\b|do\b|serves\b|is (?:our|my|the|what|now)\b|is lead\b|has\b|as\b|these days\b|nowadays\b|since\b|meanwhile\b|at present\b|to use\b|too\b|> |it should be\b|minimum\b|maximum\b))|^[\s,.!;)]*$/iu

/** How clearly the words around a span announce a new value. */
export function positionScore(
  words: readonly Word[],
  span: Span,
  olds: readonly Span[],
  slot: StoredSlot,
): number {
  const { start } = span
  const before = words[start - 1]
  const { gap } = words[start]!
  let score = 0
  if (arrows.test(gap)) score += 2
  else if (before === undefined || /[.,;!?]\s*$/.test(gap)) score += 0.5
  if (before !== undefined && !/[.,;!?]/.test(gap)) score += leadScore(words, span, olds, slot)
  const isAfterHead =
    before !== undefined && slot.head !== undefined && root(before.lower) === slot.head
  // `Timezone IST`, `new producer: Ingrid`
  if (isAfterHead && (/:\s*$/.test(gap) || (isTypedWord(words, start) && /^\s*$/.test(gap))))
    score += 1.5
  if (isInParentheses(words, start)) score -= 2
  return score + followerScore(words, span, olds, slot.frame, isAfterHead)
}

/** The score for the words before a span. */
function leadScore(
  words: readonly Word[],
  { start, end }: Span,
  olds: readonly Span[],
  { preposition }: StoredSlot,
): number {
  let score = 0
  let at = start - 1
  const isNow =
    words[at]!.lower === 'now' || (words[at]!.lower === 'from' && words[at - 1]?.lower === 'now')
  while (
    at > 0 &&
    /^(?:now|the|a|an|our|my|only|all|just|always|port|version|plain)$/.test(words[at]!.lower)
  )
    at--
  const lead = words[at]!.lower
  const isChosen =
    /^(?:for|on)$/.test(lead) &&
    /^(?:decided|opted|voted|settled|going|went|gone)$/.test(words[at - 1]?.lower ?? '')
  if (
    isChosen ||
    /^(?:to|into|onto|called|named|now|is|are|it's|its|with|by|use|using|hello|as|instead|name|meant|mean)$/.test(
      lead,
    ) ||
    /\p{L}'s$/u.test(lead) ||
    isNow
  )
    score += 2
  else if (introducers.test(lead)) score += 1
  // In `raised by the partners`, the partners are not a value.
  if (lead === 'by' && doneBy.test(words[at - 1]?.lower ?? '')) score -= 3
  // In `impossible to review`, the verb is not a value.
  const isVerb = lead === 'to' && !isTypedWord(words, start) && !isReached(words, at, olds)
  if (isVerb) score -= 2
  const isFavoured = /^favou?r$/.test(words[start - 2]?.lower ?? '') && lead === 'of'
  if (isFavoured) score += 2
  else if (
    isDigitless(words, start) &&
    /^(?:of|than|because|without|off|not|no|ditch|drop|dropped|since)$/.test(
      words[start - 1]!.lower,
    )
  )
    score -= 3
  if (words[start - 1]!.lower === 'from' && words[end]?.lower === 'to') score -= 3
  // `Labels come from Scale` where they came from somewhere else.
  else if (lead === preposition) score += 1
  return score
}

/** The score for the words after a span, and for the place of the old value. */
function followerScore(
  words: readonly Word[],
  { start, end }: Span,
  olds: readonly Span[],
  frame: ReadonlySet<string>,
  isAfterHead: boolean,
): number {
  let score = 0
  const after = words
    .slice(end, end + 4)
    .map((word) => word.gap + word.text)
    .join('')
  // `Log level info please`
  if (isAfterHead && words[start]!.gap === ' ' && /^\s*(?:please|pls|now)\b/i.test(after))
    score += 1
  if (followers.test(after)) score += 1.5
  else if (/^\s*[;.!—–]/.test(after)) score += 1
  const isOldNext = olds.some((old) => old.start > end && old.start <= end + 2)
  if (isBareSuccessor(words, start, end, olds)) score += 2
  if (/^\s*[,—–-]+\s*not\b/i.test(after) || (isOldNext && words[end]?.lower === 'not')) score += 2
  if (
    /^\s*(?:instead of|rather than|in place of|(?:has |have |will )?(?:took over|takes? over|taken over|stepped in|steps in)|beats)\b/i.test(
      after,
    )
  )
    score += 1
  // `celery out, dramatiq in`
  if (/^\s+in[\s!.]*$/i.test(after) && olds.length > 0) score += 1
  // `Turborepo replaced npm workspaces`
  const next = olds.find((old) => old.start > end)
  const isActor = next !== undefined && /^(?:with|by)$/.test(words[next.end]?.lower ?? '')
  if (isOldNext && !isActor && /^(?:replace[sd]?|succeeded)$/.test(words[end]?.lower ?? ''))
    score += 3
  if (doesTheJob(words, end, frame)) score += 3
  // A new value usually follows the old one.
  const last = olds.at(-1)
  if (last !== undefined && start >= last.end) score += 0.5
  return score
}

/** Whether the new value follows in its own clause: `not Postman, Bruno`, `cron is out, plain timers for the jobs`. */
function isBareSuccessor(
  words: readonly Word[],
  start: number,
  end: number,
  olds: readonly Span[],
): boolean {
  const old = olds.at(-1)
  if (old === undefined || old.end > start || !/,\s*$/.test(words[start]!.gap)) return false
  if (words[old.start - 1]?.lower === 'not' && old.end === start && end === words.length)
    return true
  const next = words[end]
  return next !== undefined && /^(?:for|as)$/.test(next.lower)
}

function isTypedWord(words: readonly Word[], at: number): boolean {
  const { text } = words[at]!
  return isNameLike(words, at) || /\d/.test(text) || knownValue(text) !== undefined
}

/** Whether a value follows the `to` at a position: `moved to`, `npm to`, `back to`; not `easy to`. */
function isReached(words: readonly Word[], at: number, olds: readonly Span[]): boolean {
  return olds.some(({ end }) => end === at) || leadsTo.test(words[at - 1]?.lower ?? '')
}

const doneBy =
  /^(?:rejected|refused|declined|forbidden|requested|demanded|asked|required|decided|approved|suggested|proposed|raised|lowered|increased|reduced|changed|extended|announced|confirmed)$/

const leadsTo =
  /(?:ed|ing|ves?|es|s|went|go|gone|over|back|up|down|on|it|that|this|them|set|put|deploy|ship|send|connect|point|log|grown|shrunk|fell|rose|grew|cut|due)$/

function isInParentheses(words: readonly Word[], at: number): boolean {
  const before = words
    .slice(0, at + 1)
    .map(({ gap }) => gap)
    .join('')
  return before.lastIndexOf('(') > before.lastIndexOf(')')
}

/** Whether a verb and the property follow: `Woodpecker runs our CI`, `Oda leads the project`. */
function doesTheJob(words: readonly Word[], end: number, frame: ReadonlySet<string>): boolean {
  const verb = words[end]
  if (
    verb === undefined ||
    !/^\s*$/.test(verb.gap) ||
    !/^(?:is|are|\p{Ll}{3,}s)$/u.test(verb.lower)
  )
    return false
  return words
    .slice(end + 1, end + 4)
    .some((word) => /^\s*$/.test(word.gap) && frame.has(root(word.lower)))
}

function isDigitless(words: readonly Word[], at: number): boolean {
  return !/\d/.test(words[at]!.text)
}
