import { doesJob, knownValue } from '../lexicon/lookup.ts'
import {
  type FoundValue,
  isFunctionWord,
  isMonth,
  isNameLike,
  spellWords,
  type ValueKind,
} from '../understand/values.ts'
import type { Word } from '../understand/words.ts'
import type { Span } from './mentions.ts'
import type { SentenceReading } from './read-sentence.ts'
import { contentStem, type HeldValue, root, type StoredSlot } from './stored-slot.ts'
import { introducers, positionScore } from './value-position.ts'

export interface NewValue {
  readonly text: string
  /** The position of its first word. */
  readonly start: number
  readonly score: number
  /** How clearly the words around it announce a value: `to` or `is` before it, `now` or `instead` after it. */
  readonly position: number
  readonly kind: ValueKind
  /** Whether it is of the kind of the old value: a number for a number, a database for a database. */
  readonly sameKind: boolean
  /** Whether it is a value of the known attribute: a database for `database`. */
  readonly sameSort: boolean
  /** Whether it also has the unit of the old value, or a form that says what it is: a date, a share, an address. */
  readonly sameUnit: boolean
  /** Whether it counts the same things: `5 servers` for `3 servers`. */
  readonly countsSame: boolean
  /** Whether it has the unit of the old value, and that unit measures one kind of thing: frames per second, pixels. */
  readonly ownUnit?: true
  /** Whether it is another version of the old value: `Rails 7.2` for `Rails 6.1`. */
  readonly isVersion?: true
}

/** A new value that is taken from the wording of a sentence, without a comparison with the old value. */
export function wordedValue({
  text,
  score,
  position,
  start = 0,
  sameKind = false,
}: Pick<NewValue, 'text' | 'score' | 'position'> &
  Partial<Pick<NewValue, 'start' | 'sameKind'>>): NewValue {
  const compared = { sameKind, sameSort: false, sameUnit: false, countsSame: false }
  return { text, start, score, position, kind: 'name', ...compared }
}

const commonWord =
  /^(?:yourself|myself|itself|ourselves|themselves|everywhere|always|mostly|never|ever|often|usually|sometimes|almost|see|sees|seen|cut|hit|put|kept|built|become|becomes|impossible|possible|hard|easy|thing|things|bit|news|week|today|tomorrow|yesterday|yday|monday|team|meeting|because|after|before|much|more|less|better|worse|good|bad|great|done|again|fine|old|new|wrong|right|really|very|everything|everybody|everyone|anything|nothing|something|weekend|morning|afternoon|evening|night|noon|month|quarter|year|summer|winter|autumn|spring|sprint|release|contract|change|changed|update|updated|work|works|working|moved|renamed|switched|dropped|gone|dead|out|history|place|mistake|grief|way|time|times|future|own|whatever|name|names|version|there|here|now|not|no|yes|ok|okay|please|pls|thx|thanks|lol|ugh|btw|fyi|sadly|finally|forward|fwd|just|only|still|don't|dont|doesn't|isn't|isnt|won't|longer|anymore|any|i've|we've|you|your|me|us|he|she|they|them|his|her|him|what|which|who|how|why|when|where|will|would|could|should|can|may|might|must|need|needs|want|wants|like|use|used|using|keep|keeping|got|get|getting|went|going|comes|came|took|taken|made|making|said|say|says|asked|decided|agreed|settled|does|do|did|replaces|replaced|handles|beats|wins|won|succeeds|instead|rather|than|actually|correction|turns|turned|promoted|finished|forbidden|bumped|raised|increased|reduced|extended|goodbye|hello|retired|removed|left|quit|lost|over|off|down|up|onwards|onward|henceforth|kindly|note|mind|since|until|meanwhile|nowadays|days|day)$/

/** What a new value is searched in. */
interface Search {
  readonly words: readonly Word[]
  readonly values: readonly FoundValue[]
  readonly slot: StoredSlot
  readonly olds: readonly Span[]
  /** The main value of the item. */
  readonly old: HeldValue | undefined
  readonly lexicon: string | undefined
  /** Whether the word at a position belongs to an old value. */
  isOld(at: number): boolean
}

/** Words that may be the new value. */
interface Offer extends Span {
  readonly kind: ValueKind
  /** The score that it has without its position. */
  readonly base: number
  readonly sameKind: boolean
  readonly sameUnit?: boolean
  readonly sameSort?: boolean
}

/** The most likely new value for a slot in the words of a message. */
export function findNewValue(
  { words, values }: SentenceReading,
  slot: StoredSlot,
  olds: readonly Span[],
  lexicon: string | undefined,
): NewValue | undefined {
  const isOld = (at: number): boolean => olds.some(({ start, end }) => at >= start && at < end)
  const search: Search = { words, values, slot, olds, old: slot.values[0], lexicon, isOld }
  const [best] = [...recognisedValues(search), ...unknownNames(search), ...namesOfSameForm(search)]
    .map((offer) => newValueOf(search, offer))
    .toSorted((a, b) => b.score - a.score)
  return best !== undefined && best.score >= 2 ? best : undefined
}

function newValueOf({ words, slot, olds, old, isOld }: Search, offer: Offer): NewValue {
  const { start, end, kind, base, sameKind, sameUnit = false, sameSort = false } = offer
  const whole = wholeName(words, start, end, kind, isOld)
  const position = positionScore(words, whole, olds, slot)
  const sort = old?.sort
  const after = words[end]
  const countsSame =
    kind === 'number' &&
    sort !== undefined &&
    after !== undefined &&
    contentStem(after) === root(sort)
  const ownUnit =
    sameUnit && kind === 'number' && !/^(?:time|size|money|length)$/.test(old?.sort ?? 'time')
  const isVersion =
    (kind === 'number' || kind === 'version') &&
    start > 0 &&
    isOld(start - 1) &&
    /^\s*$/.test(words[start]!.gap)
  return {
    text: spellWords(words, whole.start, whole.end),
    start: whole.start,
    score: base + position + (isVersion ? 1 : 0),
    position,
    kind,
    sameKind,
    // `French Defence` is not a language.
    sameSort: sameSort && whole.end - whole.start === end - start,
    sameUnit,
    countsSame,
    ...(ownUnit ? { ownUnit } : {}),
    ...(isVersion ? { isVersion } : {}),
  }
}

/** Names of the lexicon, and values of the kind of the old one. */
function recognisedValues({ words, values, slot, old, lexicon, isOld }: Search): readonly Offer[] {
  return values.flatMap((value): readonly Offer[] => {
    const { start, end, kind } = value
    if (isOld(start) || isOld(end - 1)) return []
    if (old?.text.toLowerCase() === value.text.toLowerCase()) return []
    const named = words.slice(start, end)
    if (kind === 'name' && named.every((word) => slot.frame.has(root(word.lower)))) return []
    const sameKind = old !== undefined && isSameKind(old, value, lexicon)
    if (kind === 'name')
      return [{ start, end, kind, base: sameKind ? 4 : 1, sameKind, sameSort: sameKind }]
    return sameKind ? [{ start, end, kind, base: 3, sameKind, sameUnit: hasUnit(value) }] : []
  })
}

/** Names that the lexicon does not have, where the old value is a name or an address too. */
function unknownNames(search: Search): readonly Offer[] {
  const { words, values, slot, old, olds, isOld } = search
  if (old !== undefined && !/^(?:name|path|url)$/.test(old.kind)) return []
  const isTyped = (at: number): boolean =>
    values.some(
      ({ kind, text, start, end }) =>
        (kind === 'date' || (/^(?:number|percent|money|time)$/.test(kind) && /\d/.test(text))) &&
        at >= start &&
        at < end,
    )
  const found: Offer[] = []
  for (let at = 0; at < words.length; at++) {
    if (!isCandidate(words, at, slot, isOld) || isLeadingVerb(words, at) || isTyped(at)) continue
    if (olds.some(({ end }) => isSaidOf(words, end, at))) continue
    let end = at + 1
    const named = isNameLike(words, at)
    while (
      end < words.length &&
      end - at < 4 &&
      /^[\s&]*$/.test(words[end]!.gap) &&
      isCandidate(words, end, slot, isOld) &&
      named === isNameLike(words, end)
    )
      end++
    // A name for a name may open the sentence: `Miro took over from Dana`.
    const isPerson = at === 0 && isCapital(words[0]!.text) && isCapital(old?.text)
    const sameKind = old?.kind === 'name' && old.sort === undefined
    found.push({ start: at, end, kind: 'name', base: named || isPerson ? 1.5 : 0, sameKind })
    at = end - 1
  }
  return found
}

/** `Celery was a mess`: words that describe the old value. */
function isSaidOf(words: readonly Word[], end: number, at: number): boolean {
  const between = words.slice(end, at).map(({ lower }) => lower)
  return /^(?:was|were|became|got) (?:an?|the|such an?|just an?)$/.test(between.join(' '))
}

/** Names that are built like the old value: with the same noun, of the same series or with the same label. */
function namesOfSameForm({ words, slot, old, isOld }: Search): readonly Offer[] {
  const found: Offer[] = []
  const name = { kind: 'name', sameKind: true } as const
  // `A US keyboard` in place of `a German keyboard`: the noun stays.
  const head = old?.kind === 'name' && old.stems.length > 1 ? old.stems.at(-1) : undefined
  for (let at = 1; head !== undefined && at < words.length; at++)
    if (contentStem(words[at]!) === head && !isOld(at) && isCandidate(words, at - 1, slot, isOld))
      found.push({ ...name, start: at - 1, end: at + 1, base: 3, sameSort: true })
  // `hg38` in place of `hg19`.
  const shape = shapeOf(old?.text ?? '')
  for (const [at, { text }] of words.entries())
    if (shape !== undefined && !isOld(at) && shapeOf(text) === shape)
      found.push({ ...name, start: at, end: at + 1, base: 4, sameUnit: true, sameSort: true })
  // `aisle F` in place of `aisle A`.
  const label = /^(?<noun>\p{L}{2,}) \p{Lu}:?$/u.exec(old?.text ?? '')?.groups?.noun
  for (let at = 0; label !== undefined && at + 1 < words.length; at++)
    if (words[at]!.lower === label.toLowerCase() && /^\p{Lu}$/u.test(words[at + 1]!.text))
      if (!isOld(at + 1)) found.push({ ...name, start: at, end: at + 2, base: 3 })
  return found
}

/** What two names of one series share: `hg#` for `hg19` and `hg38`, `eu-…-#` for `eu-west-1` and `eu-central-1`. */
function shapeOf(text: string): string | undefined {
  const parts = /^(?<first>\p{L}+)-\p{L}+-\d+$/u.exec(text)?.groups
  if (parts !== undefined) return `${parts.first!.toLowerCase()}-…-#`
  return /^\p{L}{2,}[-_]?\d+$/u.test(text) ? text.toLowerCase().replace(/\d+/u, '#') : undefined
}

const title = /^(?:dr|mr|mrs|ms|prof|st)$/

/** `AWS Secrets Manager`, `Dr. Sato`, `Oak Lane 19`: words spelled as a name belong together. */
function wholeName(
  words: readonly Word[],
  start: number,
  end: number,
  kind: ValueKind,
  isOld: (at: number) => boolean,
): Span {
  const joins = (at: number): boolean =>
    /^[ -]*$/.test(words[at]!.gap) ||
    (title.test(words[at - 1]?.lower ?? '') && /^\.\s*$/.test(words[at]!.gap))
  const isPart = (at: number): boolean =>
    /^\p{Lu}/u.test(words[at]!.text) &&
    (isNameLike(words, at) || title.test(words[at]!.lower)) &&
    !isOld(at) &&
    !isMonth(words[at])
  const isBare = /^\d+$/.test(words[start]!.text) && end === start + 1
  if (kind !== 'name' && !isBare) return { start, end }
  let [from, to] = [start, end]
  while (from > 0 && joins(from) && isPart(from - 1)) from--
  if (kind === 'name') while (to < words.length && joins(to) && isPart(to)) to++
  return from < start && isBare && words[from]!.text.length < 2
    ? { start, end }
    : { start: from, end: to }
}

/** `We return undefined`: the verb is not a part of the value. */
function isLeadingVerb(words: readonly Word[], at: number): boolean {
  return (
    /^(?:i|we|they|you|please|always|to)$/.test(words[at - 1]?.lower ?? '') &&
    introducers.test(words[at]!.lower)
  )
}

function isCapital(text: string | undefined): boolean {
  return /^\p{Lu}\p{Ll}/u.test(text ?? '')
}

function hasUnit({ kind, sort }: { readonly kind: ValueKind; readonly sort?: string }): boolean {
  return kind === 'number' || kind === 'version' ? sort !== undefined : kind !== 'name'
}

function isCandidate(
  words: readonly Word[],
  at: number,
  { frame }: StoredSlot,
  isOld: (at: number) => boolean,
): boolean {
  const word = words[at]!
  if (isOld(at) || isFunctionWord(word.lower) || commonWord.test(word.lower)) return false
  // Verbs and possessives are not values: `is evaluating`, `was deleted`, `name's`.
  const isAdjective = /^(?:an?|the|our)$/.test(words[at - 1]?.lower ?? '')
  if (/^\p{Ll}{2,}(?:[^e]ed|ing|'s)$/u.test(word.text))
    if (!isAdjective && !isNoun.test(word.lower)) return false
  const found = contentStem(word)
  return found !== undefined && !frame.has(found) && !/^\d+$/.test(word.text)
}

const isNoun =
  /^(?:string|spring|staging|building|meeting|morning|evening|ping|ring|king|bing|undefined|sled)$/

function isSameKind(
  old: HeldValue,
  value: { readonly kind: ValueKind; readonly sort?: string; readonly text: string },
  lexicon: string | undefined,
): boolean {
  if (value.kind === 'name') {
    const known = lexicon === undefined ? undefined : knownValue(value.text)
    return (
      lexicon !== undefined &&
      (value.sort === lexicon || (known !== undefined && doesJob(known, lexicon)))
    )
  }
  const numeric = (kind: ValueKind): boolean => kind === 'number' || kind === 'version'
  if (numeric(value.kind) && /\p{L}.*\s+v?\d[\d.]*\b/u.test(old.text)) return true
  const kinds =
    old.kind === value.kind ||
    (numeric(old.kind) && numeric(value.kind)) ||
    (old.kind === 'money' && value.kind === 'number')
  if (!kinds) return false
  if (!numeric(old.kind) || old.sort === undefined || value.sort === undefined) return true
  return old.sort === value.sort
}
