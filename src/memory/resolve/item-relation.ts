import type { MemoryItem } from '../item.ts'
import { namedAttribute } from '../lexicon/lookup.ts'
import { changeCue, goneLength, isAdditive, saysGone } from '../understand/change-cues.ts'
import { readOpening } from '../understand/correction-cues.ts'
import { actsItself, deniesChange, isAboutOthers, saysKept } from '../understand/no-change.ts'
import { type FoundValue, spellWords, type ValueKind } from '../understand/values.ts'
import { readWords, type Word } from '../understand/words.ts'
import { findNewValue, type NewValue, wordedValue } from './find-new-value.ts'
import {
  around,
  frameHits,
  isSameWord,
  mainMentions,
  mentions,
  partialMentions,
  type Span,
} from './mentions.ts'
import { isAboutOtherPart } from './other-part.ts'
import type { SentenceReading } from './read-sentence.ts'
import { prefers } from './stance-toward.ts'
import { contentStem, lexiconAttribute, plainWords, root, type StoredSlot } from './stored-slot.ts'
import { hasOtherSubject } from './subject.ts'

/** What a sentence has in common with a stored item. */
export interface Relation {
  readonly item: MemoryItem
  readonly slot: StoredSlot
  /** Where the sentence names the main value. */
  readonly main: readonly Span[]
  /** The same, or where it names another value of the item when it does not name the main one. */
  readonly olds: readonly Span[]
  /** Whether it says that an old value no longer holds. */
  readonly isGone: boolean
  /** The likely new value. */
  readonly newer: NewValue | undefined
  /** How many words of the property it names, and which share of them. */
  readonly hits: number
  readonly share: number
  /** Whether it names enough of the property to be about it. */
  readonly isNamed: boolean
  /** Whether the new value is one of the attribute that the item is about. */
  readonly sameSort: boolean
  /** Whether it corrects or expresses a preference. */
  readonly corrects: boolean
  /** How closely the two are related; 0 when they have nothing in common. */
  readonly relevance: number
}

/** Relates a sentence to an item; undefined when it does not change the item. */
export function relationTo(
  reading: SentenceReading,
  item: MemoryItem,
  slot: StoredSlot,
): Relation | undefined {
  const { text, words, values } = reading
  const whole = mainMentions(words, slot)
  const ended = (span: Span): boolean => saysGone(...around(text, words, span))
  const main = whole.length > 0 ? whole : partialMentions(words, slot).filter(ended)
  const olds = main.length > 0 ? main : slot.values.flatMap((value) => mentions(words, value))
  if (
    deniesChange(withoutRejected(text, words, main)) ||
    main.some((span) => saysKept(...around(text, words, span)))
  )
    return undefined
  const lexicon = lexiconAttribute(item, slot)
  const gone = olds.map((span) => withGone(span, text, words))
  const newer = findNewValue(reading, slot, gone, lexicon) ?? preferredValue(text)
  if (newer !== undefined && !isValue(newer, text)) return undefined
  // A list of three values chooses none of them.
  if (lexicon !== undefined && namedOfSort(values, lexicon) >= 3 && !chosen.test(text))
    return undefined
  const hits = frameHits(words, slot) + (newer === undefined ? 0 : impliedHits(words, slot, newer))
  const share = slot.frame.size === 0 ? 0 : hits / slot.frame.size
  // The kind of value alone relates only items of that very attribute: not `language for scripting`.
  const sameSort =
    newer?.sameSort === true && (hits > 0 || main.length > 0 || isOfAttribute(item, lexicon))
  const isPlace = newer?.sameKind === true && /^(?:url|email|path)$/.test(newer.kind)
  const isNamed =
    share >= 0.67 ||
    (share >= 0.5 &&
      (isPlace ||
        newer?.sameUnit === true ||
        slot.head === undefined ||
        namesHead(words, slot.head))) ||
    (hits > 0 && newer?.sameKind === true && namesNothingElse(words, slot, newer))
  const relevance =
    (main.length > 0 ? 2 : olds.length > 0 ? 1 : 0) +
    (isNamed ? 2 : hits > 0 ? 1 : 0) +
    (sameSort ? 1 : 0) +
    (newer?.countsSame ? (words.length <= shortSentence ? 2 : 1) : 0) +
    (hits > 0 && newer?.ownUnit === true ? 1 : 0)
  return {
    item,
    slot,
    main,
    olds,
    isGone: olds.some(ended),
    newer,
    hits,
    share,
    isNamed,
    sameSort,
    corrects: reading.corrects || readOpening(text).kind !== 'none' || prefers.test(text),
    relevance,
  }
}

/** Extends a span by the words that end its value, because in `the trial of Rollbar has ended` they are not a new value. */
function withGone(span: Span, text: string, words: readonly Word[]): Span {
  const last = words[span.end - 1]!.end
  const until = last + goneLength(text.slice(last))
  const end = words.findLastIndex((word) => word.end <= until) + 1
  return { start: span.start, end: Math.max(span.end, end) }
}

/** Whether the words found as a new value are one, and it is not over already. */
function isValue(newer: NewValue, text: string): boolean {
  const after = text.slice(text.indexOf(newer.text) + newer.text.length)
  return !pointsAt.test(newer.text) && !isOver.test(after)
}

/** Whether a sentence is about something else than the item: others, another thing, another part, or an addition. */
export function isAboutAnother(
  { text, words, values, byOthers }: SentenceReading,
  { item, slot, main, olds, newer, hits, share, isNamed, sameSort }: Relation,
): boolean {
  const theirs = /\b(?:their|his|her)\s+(?<thing>\p{L}+)/iu.exec(text)?.groups?.thing
  // `The debugger changed to port 9229` says nothing about the port of the dashboard.
  if (
    main.length === 0 &&
    !sameSort &&
    share < 0.67 &&
    hasOtherSubject(text, item.source.quote ?? item.text, slot.frame)
  )
    return true
  const isMine = /\b(?:i|i'm|i've|my|me)\b/i.test(text)
  // `We hired a frontend developer`
  if (item.attribute === 'role' && !isMine && /\b(?:we|our|they)\b/i.test(text)) return true
  // `I have 5 projects on my list`
  if (newer?.countsSame && hits === 0 && isMine && item.scope !== 'user') return true
  // `This function has 50 lines now`
  if (/^(?:and |but |so )?this (?!project|repo|app|team|one|way|is\b|was\b)\p{L}/iu.test(text))
    return true
  if (theirs !== undefined && slot.frame.has(root(theirs.toLowerCase()))) return true
  if ([...olds, ...values].some((span) => actsItself(...around(text, words, span)))) return true
  // `They moved the proxy to 8888` counts when it names the property and gives a value of its kind.
  if (byOthers && !(isNamed && newer?.sameKind === true && newer.kind !== 'name')) return true
  // In `marketing renamed the product`, the product is ours although others changed it.
  const isOurs = isNamed && /\b(?:the|our|my|us)\b/i.test(text) && !/\btheir\b/i.test(text)
  if (isAboutOthers(text, (subject) => isOurs || namesSubject(subject, slot, newer))) return true
  if (main.length > 0 && hits === 0 && !sameSort && hasOwnSubject(words, main)) return true
  // In `one more error and I become a carpenter`, the words of the second clause are not a value of the property.
  if (
    newer?.kind === 'name' &&
    !newer.sameSort &&
    olds.length === 0 &&
    !prefers.test(text) &&
    !isInClause(text, newer.text, slot)
  )
    return true
  if (isAdditive(clauseWith(text, newer?.text))) return true
  const about = relevantClauses(text, olds, words, slot, newer)
  // In `stored in GeoPackage files`, the new value is not another part.
  const place = newer === undefined ? about : about.replace(newer.text, '')
  return isAboutOtherPart(place, item, main.length > 0)
}

/** Words that choose one of several values. */
const chosen = /\b(?:we|i|our|from|only|instead|out|gone|now)\b/i

/** Words that refer to something and are not a value: `the last commit`. */
const pointsAt =
  /^(?:last|previous|first|second|next|latest|same|other|this|that|whole|current)\s+\p{L}/iu

/** `Python 2 is dead` ends a value and gives none. */
const isOver =
  /^\s+(?:is|are|was|were|has been)\s+(?:finally\s+|now\s+)?(?:dead|gone|history|deprecated|eol|retired|removed|dropped|over|no more)\b/iu

/** How many different values of one sort a sentence names. */
function namedOfSort(values: readonly FoundValue[], wanted: string): number {
  const named = values.filter(({ sort }) => sort === wanted)
  return new Set(named.map(({ text }) => text.toLowerCase())).size
}

/** Whether a subject names the property, a stored value or the new value. */
function namesSubject(subject: string, slot: StoredSlot, newer: NewValue | undefined): boolean {
  const { words } = readWords(subject)
  const bare = subject.replace(/^(?:the|our|my|a|an)\s+/i, '').toLowerCase()
  return (
    frameHits(words, slot) > 0 ||
    slot.values.some((value) => mentions(words, value).length > 0) ||
    bare === newer?.text.toLowerCase()
  )
}

/** In a sentence this short the property is left out: `it's 5 servers now`. */
const shortSentence = 5

/** Whether a sentence has a subject of its own: `the conference moved from Bonn to Cologne` is not about Bonn. */
function hasOwnSubject(words: readonly Word[], spans: readonly Span[]): boolean {
  const opens = /^(?:the|our|my|this|that|their|his|her)$/.test(words[0]?.lower ?? '')
  // `The migration to MinIO is done, Ceph is gone`: the old value has a clause of its own.
  return opens && !spans.some(({ start }) => start <= 2 || /[,;:—–]\s*$/.test(words[start]!.gap))
}

/** Whether a sentence names the property, its value and a change, and nothing else: `bumped retries to 5`. */
function namesNothingElse(words: readonly Word[], slot: StoredSlot, newer: NewValue): boolean {
  return words.every((word) => {
    const found = newer.text.includes(word.text) ? undefined : contentStem(word)
    const isKnown = found === undefined || [...slot.frame].some((each) => isSameWord(found, each))
    return isKnown || changeCue(word.lower) !== 'none'
  })
}

function namesHead(words: readonly Word[], head: string): boolean {
  return words.some(({ lower }) => isSameWord(root(lower), head))
}

/** Removes a rejection of the old value: `PGP was rejected` ends PGP, although a rejected plan changes nothing. */
function withoutRejected(text: string, words: readonly Word[], main: readonly Span[]): string {
  const [first] = main
  if (first === undefined) return text
  const [before, after] = around(text, words, first)
  return (
    before + after.replace(/^\s*(?:was|were|got|has been) (?:rejected|declined|refused)\b/iu, '')
  )
}

/** A text without the long clauses that name neither a value nor the property: `…, four looks silly on my laptop`. */
function relevantClauses(
  text: string,
  olds: readonly Span[],
  words: readonly Word[],
  slot: StoredSlot,
  newer: NewValue | undefined,
): string {
  const named = olds.map(({ start, end }) => spellWords(words, start, end))
  return text
    .split(/(?<=[,;—–])\s+/u)
    .filter((clause) => {
      const said = readWords(clause).words
      return (
        said.length < 4 ||
        /^(?:on|in|at|for|from|of|with)\b/i.test(clause) ||
        (newer !== undefined && clause.includes(newer.text)) ||
        named.some((old) => clause.includes(old)) ||
        frameHits(said, slot) > 0
      )
    })
    .join(' ')
}

/** Whether the clause of a value names the property, or points at it. */
function isInClause(text: string, value: string, slot: StoredSlot): boolean {
  const clauses = text
    .split(/[,;—–]\s+|\s(?:and|so)\s+(?=(?:i|we|they|he|she|you)\b)/iu)
    .filter((each) => each.includes(value))
  const [clause] = clauses
  if (clause === undefined || /\bit is[.!]*$/i.test(clause)) return true
  if (clauses.some((each) => frameHits(readWords(each).words, slot) > 0)) return true
  if (clause === text) return false
  return clause.split(/\s+/).length < 3 || /^(?:so |and |but )?(?:it|that|this)\b/i.test(clause)
}

/** The clause that names a value, or the whole text. */
function clauseWith(text: string, value: string | undefined): string {
  if (value === undefined) return text
  return text.split(/[,;—–]\s+/u).find((clause) => clause.includes(value)) ?? text
}

function isOfAttribute({ attribute }: MemoryItem, lexicon: string | undefined): boolean {
  if (attribute === undefined || lexicon === undefined) return true
  const name = plainWords(attribute)
  return namedAttribute(name)?.name === lexicon || lexicon.includes(name.replaceAll(' ', '_'))
}

/** The subject of a preference: `plain forms would suit us better`. */
function preferredValue(text: string): NewValue | undefined {
  const value = prefers.exec(text)?.groups?.value
  if (value === undefined || /^(?:it|that|this|which|there)\b/i.test(value)) return undefined
  return wordedValue({ text: value, score: 3, position: 2 })
}

/** Nouns that the form of a value implies: `fw now at 2.4.0` is about the version of the firmware. */
const implied: Partial<Record<ValueKind, RegExp>> = {
  version: /^(?:vers|releas)/,
  url: /^(?:url|addr|host|link|endpoint|domain)/,
  email: /^(?:e-?mail|addr)/,
  path: /^(?:path|fold|direct|locat)/,
  time: /^(?:tim|hour)$/,
  date: /^(?:dat|day|deadlin)$/,
  money: /^(?:pric|cost|fee|budget)$/,
}

/** How many words of the property the form of the new value implies. */
function impliedHits(
  words: readonly Word[],
  slot: StoredSlot,
  { kind, sameKind }: NewValue,
): number {
  const noun = implied[kind]
  if (noun === undefined || !sameKind || frameHits(words, slot) === 0) return 0
  const stems = words.map(({ lower }) => root(lower))
  return [...slot.frame].some((wanted) => noun.test(wanted) && !stems.includes(wanted)) ? 1 : 0
}
