import type { Claim } from '../extract/claim.ts'
import type { MemoryItem } from '../item.ts'
import { isLasting, isStanding } from '../understand/change-cues.ts'
import { leadInWith } from '../understand/lead-in.ts'
import { withoutEndMark } from '../understand/sentences.ts'
import { spellWords } from '../understand/values.ts'
import { readWords, type Word } from '../understand/words.ts'
import type { Candidate } from './candidates.ts'
import { type NewValue, wordedValue } from './find-new-value.ts'
import { isAboutAnother, type Relation, relationTo } from './item-relation.ts'
import { frameHits, isSameWord, type Span } from './mentions.ts'
import type { SentenceReading } from './read-sentence.ts'
import { stanceToward } from './stance-toward.ts'
import { contentStem, root, type StoredSlot } from './stored-slot.ts'

/** A change of a stored item that a sentence states. */
export interface ResolvedChange {
  readonly claim: Claim
  /** How sure it is; the best change of a sentence wins. */
  readonly score: number
}

/** The change of one stored item that a sentence states, if any. */
export function resolveChange(
  reading: SentenceReading,
  { item, slot }: Candidate,
): ResolvedChange | undefined {
  const { sentence, text, words } = reading
  const stance = stanceToward(reading, item, slot)
  if (stance === 'none' || isLimited(reading, slot)) return undefined
  const relation = relationTo(reading, item, slot)
  if (relation === undefined || isAboutAnother(reading, relation)) return undefined
  if (stance === 'request' && !isStanding(text) && !isChoice(reading, relation)) return undefined
  const { main, newer, isGone, share, relevance } = relation
  const instructed = instructedValue(text, relation)
  const byInstruction =
    instructed && inDoubt(changed(sentence, item, slot, instructed, relevance + 2))
  const isRefused = /^(?:please\s+|pls\s+)?(?:stop|never|don't|do not|skip|no)\b/i.test(text)
  if (isRefused && byInstruction !== undefined && newer?.sameKind !== true) return byInstruction
  if (isOtherFigure(text, relation)) return undefined
  const given = newer === undefined ? undefined : changeTo(newer, reading, relation)
  if (given !== undefined) return given
  if (byInstruction !== undefined) return byInstruction
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
  // `You don't need to ask before …` ends the wish.
  if (item.kind === 'preference' && cancels.test(text) && share >= 0.6 && !newer?.sameKind)
    return {
      claim: { ...claimFor(sentence, item), operation: 'end', old: item.value ?? item.text },
      score: relevance,
    }
  if (newer?.sameKind && share === 1 && stance === 'statement' && restates(words, slot, newer))
    return inDoubt(changed(sentence, item, slot, newer, relevance))
  return undefined
}

/** The change to a new value, when the sentence is clear enough about it. */
function changeTo(
  newer: NewValue,
  { sentence, text, words, cue }: SentenceReading,
  { item, slot, main, isGone, share, sameSort, corrects, relevance }: Relation,
): ResolvedChange | undefined {
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
    main.length === 0 ||
    isGone ||
    haveSwitched.test(text) ||
    text.endsWith(`${newer.text} it is`) ||
    share > 0 ||
    sameSort ||
    newer.isVersion === true ||
    newer.score >= 4
  if (!(sure || unsure) || !related || !placed || !contrasted) return undefined
  const found = changed(sentence, item, slot, newer, relevance + newer.score + (isGone ? 2 : 0))
  return sure ? found : inDoubt(found)
}

/** The same change as a question, so that the user says which value holds. */
function inDoubt({ claim, score }: ResolvedChange): ResolvedChange {
  return { claim: { ...claim, operation: 'doubt' }, score }
}

/** Whether a request chooses a value: `use Vite instead`. */
function isChoice({ text, cue }: SentenceReading, { isGone, corrects }: Relation): boolean {
  return chooses.test(text) && (isGone || corrects || cue === 'strong')
}

/** Whether a figure is the same only by accident: `coverage fell from 19 % to 16 %` is not about every 19 %. */
function isOtherFigure(text: string, { slot, hits, isGone, newer }: Relation): boolean {
  const [old] = slot.values
  if (old === undefined || /^(?:name|url|email|path)$/.test(old.kind)) return false
  const isEnded = isGone && !/\bfrom\s+\S*\d/i.test(text)
  return hits === 0 && !newer?.countsSame && !newer?.isVersion && !isEnded
}

/** Whether a stem is a word of the property. */
function isInFrame(found: string, { frame }: StoredSlot): boolean {
  return [...frame].some((wanted) => isSameWord(found, wanted))
}

/** Whether a sentence has the property and its value, and nothing else: `max line width: 88`, `pool size 25`. */
function isLabelled(words: readonly Word[], slot: StoredSlot, value: string): boolean {
  const rest = words.filter(({ text }) => !value.includes(text))
  return rest.length > 0 && rest.every(({ lower }) => isInFrame(root(lower), slot))
}

/** Words that take back a wish. */
const cancels =
  /\b(?:you (?:don['’]t|do not|no longer) (?:need|have) to|no need to|you (?:can|may) stop \p{L}+ing)\b/iu

/** `I switched to Reaper, Audacity kept crashing`. */
const haveSwitched =
  /\b(?:i|we)(?:'ve| have)?(?: all| both| just| finally| since| now)* (?:switched|moved|migrated|changed) (?:over |back )?to\b/iu

/** Requests that choose something, and not those that give a task: `rename the folder`, `move this file`. */
const chooses = new RegExp(
  String.raw`^${leadInWith('no|nah|instead')}(?:use|go|switch|prefer|stick|keep|stop|drop|ditch|call me|answer|reply|bump|make it|make that|note|remember|let's|lets|set)\b`,
  'iu',
)

/** Whether a sentence is limited to one thing or moment. `For the prototype` is not a limit where the item is about it. */
function isLimited({ limit }: SentenceReading, { frame, values }: StoredSlot): boolean {
  if (limit === undefined) return false
  // `Extended until 30 June` gives the new value where a date is stored.
  if (/^(?:until|till)$/i.test(limit) && values.some(({ kind }) => /^(?:date|time)$/.test(kind)))
    return false
  // `The marks are in meta/marks.yaml` gives the new value where a file is stored.
  if (/^in \S+\.\w+$/i.test(limit) && values.some(({ text }) => /\w\.\w+$/.test(text))) return false
  const named = readWords(limit).words.flatMap((word) => contentStem(word) ?? [])
  return named.length === 0 || !named.every((word) => frame.has(word))
}

/** `After the move`, `with the new contract`: how many words stand before the subject. */
function introLength(words: readonly Word[]): number {
  if (!/^(?:after|since|with|following|as|from|due|thanks)$/.test(words[0]?.lower ?? '')) return 0
  return Math.max(0, words.slice(2, 6).findIndex(({ lower }) => /^(?:the|our|my)$/.test(lower)) + 2)
}

const linking =
  /^(?:is|are|be|'s|has|have|runs?|takes?|lasts?|expires?|listens?|costs?|starts?|ends?|opens?|closes?|begins?|goes|go|lives?|sits?|stands?|should|must|needs?|happens?|comes?|equals?|set|put|called|named|always|always|we|port)$/

/** Whether a statement gives the property another value and names nothing else: `stack size should be 4096`. */
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
        isInFrame(found, slot) ||
        old?.stems.includes(found)
      )
    })
  )
}

/** A refusal of the stored value: `no semicolons any more`. */
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
      return wordedValue({
        text: `no ${spellWords(words, start, end)}`,
        start,
        score: 2,
        position: 2,
        sameKind: true,
      })
  }
  return undefined
}

/** An instruction about the topic of a stored preference. It replaces the preference in its own words. */
function instructedValue(text: string, { item, slot, hits }: Relation): NewValue | undefined {
  if (
    item.kind !== 'preference' ||
    !isStanding(text) ||
    /\b(?:this|that) (?!is\b|was\b|way\b)\p{L}+/iu.test(text)
  )
    return undefined
  const { words } = readWords(text)
  const named = frameHits(words, { ...slot, frame: slot.attribute })
  if (slot.attribute.size === 0 || named * 2 < slot.attribute.size || hits === 0) return undefined
  return wordedValue({ text: withoutEndMark(text.trim()), score: 2, position: 0 })
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
    (item.kind === 'decision' || newer.sameSort ? addition(sentence, newer.text) : '')
  const told = withoutReason(item.text, old)
  const at = old === undefined ? -1 : told.toLowerCase().lastIndexOf(old.toLowerCase())
  const text =
    at < 0 || old === undefined
      ? `${item.text}: ${value}`
      : told.slice(0, at) + value + told.slice(at + old.length)
  return {
    claim: { ...claimFor(sentence, item), value, text, ...(old === undefined ? {} : { old }) },
    score,
  }
}

/** The reason for an old value is none for the new one. */
function withoutReason(text: string, old = ''): string {
  const plain = text.replace(/,?\s+because\b.*$/isu, '')
  return plain.toLowerCase().includes(old.toLowerCase()) ? plain : text
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
