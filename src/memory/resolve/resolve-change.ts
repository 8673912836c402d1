import type { Claim } from '../extract/claim.ts'
import type { MemoryItem } from '../item.ts'
import { namedAttribute } from '../lexicon/lookup.ts'
import {
  goneLength,
  isAdditive,
  isLasting,
  isStanding,
  saysGone,
} from '../understand/change-cues.ts'
import { readOpening } from '../understand/correction-cues.ts'
import { leadInWith } from '../understand/lead-in.ts'
import { actsItself, isAboutOthers, saysKept, tellsNoChange } from '../understand/no-change.ts'
import { type FoundValue, spellWords, type ValueKind } from '../understand/values.ts'
import { readWords, type Word } from '../understand/words.ts'
import { findNewValue, type NewValue, type Span } from './find-new-value.ts'
import { listeningStance, prefers } from './listening-stance.ts'
import { around, frameHits, isSameWord, mainMentions, mentions } from './mentions.ts'
import { otherPart } from './parts.ts'
import {
  contentStem,
  lexiconAttribute,
  plainWords,
  root,
  type StoredSlot,
  storedSlot,
} from './stored-slot.ts'
import type { ToldSentence } from './told-sentence.ts'

/** A change of a stored item that a sentence states. */
export interface ResolvedChange {
  readonly claim: Claim
  /** How sure it is; the best change of a sentence wins. */
  readonly score: number
}

/** The change of one stored item that a sentence states, if any. */
export function resolveChange(told: ToldSentence, item: MemoryItem): ResolvedChange | undefined {
  const { sentence, text, words, values, cue, byOthers } = told
  const slot = storedSlot(item)
  const stance = listeningStance(told, item, slot)
  if (stance === 'none' || isLimited(told, slot)) return undefined
  const main = mainMentions(words, slot)
  const olds = main.length > 0 ? main : slot.values.flatMap((value) => mentions(words, value))
  const isGone = olds.some((span) => saysGone(...around(text, words, span)))
  // In `the trial of Rollbar has ended`, no word after it is a new value.
  const withGone = (span: Span): Span => {
    const last = words[span.end - 1]!.end
    const until = last + goneLength(text.slice(last))
    const end = words.findLastIndex((word) => word.end <= until) + 1
    return { start: span.start, end: Math.max(span.end, end) }
  }
  if (
    tellsNoChange(withoutRejected(text, words, main)) ||
    main.some((span) => saysKept(...around(text, words, span)))
  )
    return undefined
  const lexicon = lexiconAttribute(item, slot)
  const newer = findNewValue(told, slot, olds.map(withGone), lexicon) ?? preferredValue(text)
  if (newer !== undefined && pointsAt.test(newer.text)) return undefined
  if (newer !== undefined && isOver.test(text.slice(text.indexOf(newer.text) + newer.text.length)))
    return undefined
  const hits = frameHits(words, slot) + (newer === undefined ? 0 : impliedHits(words, slot, newer))
  const share = slot.frame.size === 0 ? 0 : hits / slot.frame.size
  if (lexicon !== undefined && namedOfSort(values, lexicon) >= 3 && !chosen.test(text))
    return undefined
  const named = [...olds, ...values]
  if (named.some((span) => actsItself(...around(text, words, span)))) return undefined
  // The kind of value alone relates only items of that very attribute: not `language for scripting`.
  const sameSort =
    newer?.sameSort === true && (hits > 0 || main.length > 0 || isOfAttribute(item, lexicon))
  const corrects = told.corrects || readOpening(text).kind !== 'none' || prefers.test(text)
  const isPlace = newer?.sameKind === true && /^(?:url|email|path)$/.test(newer.kind)
  const isNamed =
    share >= 0.67 ||
    (share >= 0.5 &&
      (isPlace ||
        newer?.sameUnit === true ||
        slot.head === undefined ||
        namesHead(words, slot.head)))
  // `They moved the proxy to 8888` counts when it names the property and gives a value of its kind.
  if (byOthers && !(isNamed && newer?.sameKind === true && newer.kind !== 'name')) return undefined
  // `Marketing renamed the product` is about our product, whoever did it.
  const isOurs = isNamed && /\b(?:the|our|my|us)\b/i.test(text) && !/\btheir\b/i.test(text)
  if (isAboutOthers(text, (subject) => isOurs || namesSubject(subject, slot, newer)))
    return undefined
  const relevance =
    (main.length > 0 ? 2 : olds.length > 0 ? 1 : 0) +
    (isNamed ? 2 : hits > 0 ? 1 : 0) +
    (sameSort ? 1 : 0) +
    (newer?.countsSame ? (words.length <= shortSentence ? 2 : 1) : 0) +
    (hits > 0 && newer?.ownUnit === true ? 1 : 0)
  if (main.length > 0 && hits === 0 && !sameSort && hasOwnSubject(words, main)) return undefined
  // `One more error and I become a carpenter`: a word of another clause is no value of the property.
  if (
    newer?.kind === 'name' &&
    !newer.sameSort &&
    olds.length === 0 &&
    !prefers.test(text) &&
    !isInClause(text, newer.text, slot)
  )
    return undefined
  if (isAdditive(clauseWith(text, newer?.text))) return undefined
  const about = relevantClauses(text, [...olds], words, slot, newer)
  // `Stored in GeoPackage files`: the new value is no other part.
  const place = newer === undefined ? about : about.replace(newer.text, '')
  if (otherPart(place, item, main.length > 0)) return undefined
  if (
    stance === 'request' &&
    !isStanding(text) &&
    !(chooses.test(text) && (isGone || corrects || cue === 'strong'))
  )
    return undefined
  const isRefused = /^(?:please\s+|pls\s+)?(?:stop|never|don't|do not|skip|no)\b/i.test(text)
  const instructed = instructedValue(text, item, slot, hits)
  if (isRefused && instructed !== undefined && newer?.sameKind !== true)
    return inDoubt(changed(sentence, item, slot, instructed, relevance + 2))
  // `Coverage fell from 19 % to 16 %` is not about every 19 %.
  const isFigure =
    slot.values[0] !== undefined && !/^(?:name|url|email|path)$/.test(slot.values[0].kind)
  const isEnded = isGone && !/\bfrom\s+\S*\d/i.test(text)
  if (isFigure && hits === 0 && !newer?.countsSame && !newer?.isVersion && !isEnded)
    return undefined
  if (newer !== undefined) {
    const isGiven = share === 1 && newer.sameKind && isLabelled(words, slot, newer.text)
    const sure =
      isGone ||
      cue === 'strong' ||
      corrects ||
      (item.kind === 'preference' && newer.sameKind && (isLasting(text) || isGiven))
    const unsure = (cue === 'weak' && (relevance >= 3 || share >= 0.5)) || isGiven
    const enough = isGone || share === 1 ? 2.5 : 3
    const placed = newer.sameKind || newer.score >= enough
    const related =
      relevance >= 2 || (sameSort && newer.position >= 1.5 && !/\b(?:was|were|had)\b/i.test(text))
    const contrasted =
      main.length > 0
        ? isGone ||
          haveSwitched.test(text) ||
          text.endsWith(`${newer.text} it is`) ||
          share > 0 ||
          sameSort ||
          newer.isVersion ||
          newer.score >= 4
        : true
    if ((sure || unsure) && related && placed && contrasted) {
      const found = changed(sentence, item, slot, newer, relevance + newer.score + (isGone ? 2 : 0))
      return sure ? found : inDoubt(found)
    }
  }
  if (instructed !== undefined)
    return inDoubt(changed(sentence, item, slot, instructed, relevance + 2))
  // `No semicolons any more`: the wish is kept as a wish.
  const refused = item.kind === 'preference' ? refusal(text, words, main) : undefined
  if (refused !== undefined) return changed(sentence, item, slot, refused, relevance)
  if (isGone && main.length > 0 && relevance >= 2)
    return {
      claim: {
        ...claimFor(sentence, item),
        operation: 'end',
        old: item.value ?? slot.values[0]!.text,
      },
      score: relevance,
    }
  if (newer?.sameKind && share === 1 && stance === 'statement' && restates(words, slot, newer))
    return inDoubt(changed(sentence, item, slot, newer, relevance))
  return undefined
}

/** The user has to say which value holds. */
function inDoubt({ claim, score }: ResolvedChange): ResolvedChange {
  return { claim: { ...claim, operation: 'doubt' }, score }
}

/** `max line width: 88`, `pool size 25`: a property and its value, and nothing else. */
function isLabelled(words: readonly Word[], slot: StoredSlot, value: string): boolean {
  const rest = words.filter(({ text }) => !value.includes(text))
  return (
    rest.length > 0 &&
    rest.every((word) => [...slot.frame].some((wanted) => isSameWord(root(word.lower), wanted)))
  )
}

/** `I switched to Reaper, Audacity kept crashing`. */
const haveSwitched =
  /\b(?:i|we)(?:'ve| have)?(?: all| both| just| finally| since| now)* (?:switched|moved|migrated|changed) (?:over |back )?to\b/iu

/** Words that choose from a list of values. */
const chosen = /\b(?:we|i|our|from|only|instead|out|gone|now)\b/i

/** `The last commit` points at one thing and is no value. */
const pointsAt =
  /^(?:last|previous|first|second|next|latest|same|other|this|that|whole|current)\s+\p{L}/iu

/** `Python 2 is dead` ends a value and gives none. */
const isOver =
  /^\s+(?:is|are|was|were|has been)\s+(?:finally\s+|now\s+)?(?:dead|gone|history|deprecated|eol|retired|removed|dropped|over|no more)\b/iu

/** How many different values of one sort a sentence names; a list of three chooses none of them. */
function namedOfSort(values: readonly FoundValue[], wanted: string): number {
  const named = values.filter(({ sort }) => sort === wanted)
  return new Set(named.map(({ text }) => text.toLowerCase())).size
}

/** Whether the subject of a sentence is the stored thing, its old value or its new one. */
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

/** Requests that choose something, and not those that give a task: `rename the folder`, `move this file`. */
const chooses = new RegExp(
  String.raw`^${leadInWith('no|nah|instead')}(?:use|go|switch|prefer|stick|keep|stop|drop|ditch|call me|answer|reply|bump|make it|make that|note|remember|let's|lets|set)\b`,
  'iu',
)

/** `The conference moved from Bonn to Cologne` is about the conference, not about whatever else is in Bonn. */
function hasOwnSubject(words: readonly Word[], spans: readonly Span[]): boolean {
  const opens = /^(?:the|our|my|this|that|their|his|her)$/.test(words[0]?.lower ?? '')
  // `The migration to MinIO is done, Ceph is gone`: the old value has a clause of its own.
  return opens && !spans.some(({ start }) => start <= 2 || /[,;:—–]\s*$/.test(words[start]!.gap))
}

function namesHead(words: readonly Word[], head: string): boolean {
  return words.some(({ lower }) => isSameWord(root(lower), head))
}

/** Whether a sentence is limited to one thing or moment; `for the prototype` limits nothing where the item is about it. */
function isLimited({ limit }: ToldSentence, { frame, values }: StoredSlot): boolean {
  if (limit === undefined) return false
  // `Extended until 30 June` gives an end date; where a date is stored, it is not a limit of the change.
  if (/^(?:until|till)$/i.test(limit) && values.some(({ kind }) => /^(?:date|time)$/.test(kind)))
    return false
  // `The marks are in meta/marks.yaml`: where a file is stored, another file is no limit.
  if (/^in \S+\.\w+$/i.test(limit) && values.some(({ text }) => /\w\.\w+$/.test(text))) return false
  const named = readWords(limit).words.flatMap((word) => contentStem(word) ?? [])
  return named.length === 0 || !named.every((word) => frame.has(word))
}

/** A text without the clauses that name neither a value nor the property: `…, four looks silly on my laptop`. */
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

/** `After the move`, `with the new contract`: how many words stand before the subject. */
function introLength(words: readonly Word[]): number {
  if (!/^(?:after|since|with|following|as|from|due|thanks)$/.test(words[0]?.lower ?? '')) return 0
  return Math.max(0, words.slice(2, 6).findIndex(({ lower }) => /^(?:the|our|my)$/.test(lower)) + 2)
}

const linking =
  /^(?:is|are|be|'s|has|have|runs?|takes?|lasts?|expires?|listens?|costs?|starts?|ends?|opens?|closes?|begins?|goes|go|lives?|sits?|stands?|should|must|needs?|happens?|comes?|equals?|set|put|called|named|always|always|we|port)$/

/** `PGP was rejected` ends PGP; of a plan, the words say that nothing changed. */
function withoutRejected(text: string, words: readonly Word[], main: readonly Span[]): string {
  const [first] = main
  if (first === undefined) return text
  const [before, after] = around(text, words, first)
  return (
    before + after.replace(/^\s*(?:was|were|got|has been) (?:rejected|declined|refused)\b/iu, '')
  )
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

/** Whether a statement gives the property another value and speaks of nothing else: `stack size should be 4096`. */
function restates(words: readonly Word[], slot: StoredSlot, newer: NewValue): boolean {
  const old = slot.values[0]
  const isNamed = (text: string): boolean => /^\p{Lu}|[\d_@./-]/u.test(text)
  if (newer.kind === 'name' && !(isNamed(newer.text) && isNamed(old?.text ?? ''))) return false
  const said = words.slice(0, newer.start)
  const clause = said.findLastIndex(({ gap }) => /[,;:—–]/.test(gap))
  const lead = said.slice(Math.max(clause, 0, introLength(said)))
  return (
    frameHits(lead, slot) > 0 &&
    lead.some(({ lower }) => linking.test(lower) || /\p{L}'s$/u.test(lower)) &&
    lead.every((word) => {
      const found = contentStem(word)
      return (
        found === undefined ||
        linking.test(word.lower) ||
        [...slot.frame].some((wanted) => isSameWord(found, wanted)) ||
        old?.stems.includes(found)
      )
    })
  )
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

/** `Plain forms would suit us better`: what is preferred is the subject. */
function preferredValue(text: string): NewValue | undefined {
  const value = prefers.exec(text)?.groups?.value
  if (value === undefined || /^(?:it|that|this|which|there)\b/i.test(value)) return undefined
  return {
    text: value,
    start: 0,
    score: 3,
    position: 2,
    kind: 'name',
    sameKind: false,
    sameSort: false,
    sameUnit: false,
    countsSame: false,
  }
}

/** Nouns that a value says by its form: `fw now at 2.4.0` is about the version of the firmware. */
const implied: Partial<Record<ValueKind, RegExp>> = {
  version: /^(?:vers|releas)/,
  url: /^(?:url|addr|host|link|endpoint|domain)/,
  email: /^(?:e-?mail|addr)/,
  path: /^(?:path|fold|direct|locat)/,
  time: /^(?:tim|hour)$/,
  date: /^(?:dat|day|deadlin)$/,
  money: /^(?:pric|cost|fee|budget)$/,
}

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

function refusal(
  text: string,
  words: readonly Word[],
  spans: readonly Span[],
): NewValue | undefined {
  for (const { start, end } of spans) {
    const before = /\b(?:no more|no|never|stop|without)\s+(?:using |with |the )*$/i.exec(
      text.slice(0, words[start]!.start),
    )
    if (before !== null)
      return {
        text: `no ${spellWords(words, start, end)}`,
        start,
        score: 2,
        position: 2,
        kind: 'name',
        sameKind: true,
        sameSort: false,
        sameUnit: false,
        countsSame: false,
      }
  }
  return undefined
}

/** An instruction about the topic of a stored preference replaces it in its own words. */
function instructedValue(
  text: string,
  item: MemoryItem,
  slot: StoredSlot,
  hits: number,
): NewValue | undefined {
  if (
    item.kind !== 'preference' ||
    !isStanding(text) ||
    /\b(?:this|that) (?!is\b|was\b|way\b)\p{L}+/iu.test(text)
  )
    return undefined
  const { words } = readWords(text)
  const named = frameHits(words, { ...slot, frame: slot.attribute })
  if (slot.attribute.size === 0 || named * 2 < slot.attribute.size || hits === 0) return undefined
  return {
    text: text.trim().replace(/[.!]+$/, ''),
    start: 0,
    score: 2,
    kind: 'name',
    position: 0,
    sameKind: false,
    sameSort: false,
    sameUnit: false,
    countsSame: false,
  }
}

function claimFor(sentence: string, item: MemoryItem): Claim {
  return {
    kind: item.kind,
    owner: item.scope === 'user' ? 'user' : 'project',
    operation: 'replace',
    category: item.category ?? 'general',
    ...(item.attribute === undefined ? {} : { attribute: item.attribute }),
    target: item.id,
    text: item.text,
    quote: sentence,
    confidence: 0.85,
  }
}

function changed(
  sentence: string,
  item: MemoryItem,
  slot: StoredSlot,
  newer: NewValue,
  score: number,
): ResolvedChange {
  const old = item.value ?? slot.values[0]?.text
  const value =
    inShapeOf(old, { ...newer, text: withMark(sentence, newer.text, old) }) +
    (item.kind === 'decision' ? addition(sentence, newer.text) : '')
  const at = old === undefined ? -1 : item.text.toLowerCase().lastIndexOf(old.toLowerCase())
  const text =
    at < 0 || old === undefined
      ? `${item.text}: ${value}`
      : item.text.slice(0, at) + value + item.text.slice(at + old.length)
  return {
    claim: { ...claimFor(sentence, item), value, text, ...(old === undefined ? {} : { old }) },
    score,
  }
}

/** `BILL-` in place of `INV-`: the mark at the end belongs to the value. */
function withMark(sentence: string, text: string, old = ''): string {
  const mark = /[-:/]$/u.exec(old)?.[0] ?? ''
  return sentence.includes(text + mark) ? text + mark : text
}

/** `8` in place of `MySQL 5.7` is `MySQL 8`; `12` in place of `8 characters` is `12 characters`. */
function inShapeOf(old: string | undefined, { text, kind }: NewValue): string {
  if (old === undefined || (kind !== 'number' && kind !== 'version')) return text
  const figure =
    /v?\d[\d.,]*\p{L}?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b/iu.exec(old)
  const bare = /^v?[\d.,]+$|^\p{L}+$/u.test(text)
  if (figure === null || !bare) return text
  return old.slice(0, figure.index) + text + old.slice(figure.index + figure[0].length)
}

/** `PostgreSQL with a caching layer` is another choice than `PostgreSQL`. */
function addition(sentence: string, value: string): string {
  const at = sentence.indexOf(value)
  const rest = at < 0 ? '' : sentence.slice(at + value.length)
  const added =
    /^\s+(?:with|behind|plus)\s+(?:an?\s+|the\s+)?[\p{L}-]+(?:\s+[\p{L}-]+)?/iu.exec(rest)?.[0] ??
    ''
  return added.replace(/\s+(?:now|instead|please|after|from|for|and)$/i, '')
}
