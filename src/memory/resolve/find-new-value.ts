import { doesJob, knownValue } from '../lexicon/lookup.ts'
import { isFunctionWord, isNameLike, spellWords, type ValueKind } from '../understand/values.ts'
import type { Word } from '../understand/words.ts'
import { contentStem, type HeldValue, root, type StoredSlot } from './stored-slot.ts'
import type { ToldSentence } from './told-sentence.ts'

/** Words of a message: `words[start..end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface NewValue {
  readonly text: string
  /** The position of its first word. */
  readonly start: number
  readonly score: number
  /** How clearly it stands where a value stands: after `to` or `is`, before `now` or `instead`. */
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

const introducers =
  /^(?:to|into|onto|is|are|'s|it's|its|was|be|been|now|with|by|use|uses|using|on|in|called|named|as|through|via|at|hello|comes?|only|us|only|go|going|goes|has|have|having|prefer|prefers|used|became|become|than|for|under|makes?|says?|say|speaks?|write|return|returns|store|serves|called|mostly|always|me|should|that's|thats|we're|were|i'm|im|answer|need|needs|requires?|taking|with|show|lives?|put|make|got|keep|targeting|support|supports|until|every|each|all|they're)$/
const arrows = /(?:→|->|=>|[:=>])\s*$/
const followers =
  /^(?:\s*(?:now\b|instead\b|it is\b|in\b(?:[\s🎉!.]*$|\s*[,;.])|only\b|everywhere\b|is in(?=[\s!.]*$)|comes?(?: in)?(?=\s*(?:$|[,.;!]))|from (?:now|here|this|today)\b|replaces?\b|with\b|would be\b|overtook\b|succeeds\b|succeeded\b|rather\b|going (?:forward|fwd)\b|after all\b|all the way\b|please\b|pls\b|does\b|do\b|serves\b|is (?:our|my|the|what|now)\b|is lead\b|has\b|as\b|these days\b|nowadays\b|since\b|meanwhile\b|at present\b|to use\b|too\b|> |it should be\b|minimum\b|maximum\b))|^[\s,.!;)]*$/iu
const commonWord =
  /^(?:yourself|myself|itself|ourselves|themselves|everywhere|always|mostly|never|ever|often|usually|sometimes|almost|see|sees|seen|cut|hit|put|kept|built|become|becomes|impossible|possible|hard|easy|thing|things|bit|news|week|today|tomorrow|yesterday|yday|monday|team|meeting|because|after|before|much|more|less|better|worse|good|bad|great|done|again|fine|old|new|wrong|right|really|very|everything|everybody|everyone|anything|nothing|something|weekend|sprint|release|contract|change|changed|update|updated|work|works|working|moved|renamed|switched|dropped|gone|dead|out|history|place|mistake|grief|way|time|times|future|own|whatever|name|names|version|there|here|now|not|no|yes|ok|okay|please|pls|thx|thanks|lol|ugh|btw|fyi|sadly|finally|forward|fwd|just|only|still|don't|dont|doesn't|isn't|isnt|won't|longer|anymore|any|i've|we've|you|your|me|us|he|she|they|them|his|her|him|what|which|who|how|why|when|where|will|would|could|should|can|may|might|must|need|needs|want|wants|like|use|used|using|keep|keeping|got|get|getting|went|going|comes|came|took|taken|made|making|said|say|says|asked|decided|agreed|settled|instead|rather|than|actually|correction|turns|turned|promoted|finished|forbidden|bumped|raised|increased|reduced|extended|goodbye|hello|retired|removed|left|quit|lost|over|off|down|up|onwards|onward|henceforth|kindly|note|mind|since|until|meanwhile|nowadays|days|day)$/

/** The most likely new value for a slot in the words of a message. */
export function findNewValue(
  { words, values }: ToldSentence,
  slot: StoredSlot,
  olds: readonly Span[],
  lexicon: string | undefined,
): NewValue | undefined {
  const old = slot.values[0]
  const isOld = (at: number): boolean => olds.some(({ start, end }) => at >= start && at < end)
  const found: NewValue[] = []
  const isTyped = (at: number): boolean =>
    values.some(
      ({ kind, text, start, end }) =>
        (kind === 'date' || (/^(?:number|percent|money|time)$/.test(kind) && /\d/.test(text))) &&
        at >= start &&
        at < end,
    )
  const offer = (
    start: number,
    end: number,
    base: number,
    kind: ValueKind,
    sameKind: boolean,
    { sameUnit = false, sameSort = false } = {},
  ): void => {
    const whole = wholeName(words, start, end, kind, isOld)
    const text = spellWords(words, whole.start, whole.end)
    const position = positionScore(words, whole, olds, slot)
    const score = base + position
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
    found.push({
      text,
      start: whole.start,
      score: score + (isVersion ? 1 : 0),
      position,
      kind,
      sameKind,
      // `French Defence` is no language.
      sameSort: sameSort && whole.end - whole.start === end - start,
      sameUnit,
      countsSame,
      ...(ownUnit ? { ownUnit } : {}),
      ...(isVersion ? { isVersion } : {}),
    })
  }
  for (const value of values) {
    if (isOld(value.start) || isOld(value.end - 1)) continue
    if (old?.text.toLowerCase() === value.text.toLowerCase()) continue
    const named = words.slice(value.start, value.end)
    if (value.kind === 'name' && named.every((word) => slot.frame.has(root(word.lower)))) continue
    const sameKind = old !== undefined && isSameKind(old, value, lexicon)
    if (value.kind === 'name' && !sameKind) {
      offer(value.start, value.end, 1, 'name', false)
      continue
    }
    if (value.kind === 'name' || sameKind)
      offer(
        value.start,
        value.end,
        value.kind === 'name' ? 4 : sameKind ? 3 : 0,
        value.kind,
        sameKind,
        { sameUnit: sameKind && hasUnit(value), sameSort: sameKind && value.kind === 'name' },
      )
  }
  if (old === undefined || old.kind === 'name' || old.kind === 'path' || old.kind === 'url')
    for (let at = 0; at < words.length; at++) {
      if (!isCandidate(words, at, slot, isOld) || isLeadingVerb(words, at) || isTyped(at)) continue
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
      offer(
        at,
        end,
        named || isPerson ? 1.5 : 0,
        'name',
        old?.kind === 'name' && old.sort === undefined,
      )
      at = end - 1
    }
  // `A US keyboard` in place of `a German keyboard`: the noun stays.
  const head = old?.kind === 'name' && old.stems.length > 1 ? old.stems.at(-1) : undefined
  for (let at = 1; head !== undefined && at < words.length; at++)
    if (contentStem(words[at]!) === head && !isOld(at) && isCandidate(words, at - 1, slot, isOld))
      offer(at - 1, at + 1, 3, 'name', true)
  // `hg38` in place of `hg19`.
  const shape = shapeOf(old?.text ?? '')
  for (const [at, { text }] of words.entries())
    if (shape !== undefined && !isOld(at) && shapeOf(text) === shape)
      offer(at, at + 1, 4, 'name', true, { sameUnit: true, sameSort: true })
  // `aisle F` in place of `aisle A`.
  const label = /^(?<noun>\p{L}{2,}) \p{Lu}:?$/u.exec(old?.text ?? '')?.groups?.noun
  for (let at = 0; label !== undefined && at + 1 < words.length; at++)
    if (words[at]!.lower === label.toLowerCase() && /^\p{Lu}$/u.test(words[at + 1]!.text))
      if (!isOld(at + 1)) offer(at, at + 2, 3, 'name', true)
  const best = found.toSorted((a, b) => b.score - a.score)[0]
  return best !== undefined && best.score >= 2 ? best : undefined
}

/** What two names of one series share: `hg#` for `hg19` and `hg38`. */
function shapeOf(text: string): string | undefined {
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
    !month.test(words[at]!.lower)
  const isBare = /^\d+$/.test(words[start]!.text) && end === start + 1
  if (kind !== 'name' && !isBare) return { start, end }
  let [from, to] = [start, end]
  while (from > 0 && joins(from) && isPart(from - 1)) from--
  if (kind === 'name') while (to < words.length && joins(to) && isPart(to)) to++
  return from < start && isBare && words[from]!.text.length < 2
    ? { start, end }
    : { start: from, end: to }
}

const month =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/

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
  // `Is evaluating`, `was deleted`, `name's`: what happens, and no value.
  const isAdjective = /^(?:an?|the|our)$/.test(words[at - 1]?.lower ?? '')
  if (/^\p{Ll}{2,}(?:[^e]ed|ing|'s)$/u.test(word.text))
    if (!isAdjective && !isNoun.test(word.lower)) return false
  const found = contentStem(word)
  return found !== undefined && !frame.has(found) && !/^\d+$/.test(word.text)
}

const isNoun =
  /^(?:string|spring|staging|building|meeting|morning|evening|ping|ring|king|bing|undefined|sled)$/

function positionScore(
  words: readonly Word[],
  { start, end }: Span,
  olds: readonly Span[],
  { frame, head, preposition }: StoredSlot,
): number {
  const before = words[start - 1]
  const gap = words[start]!.gap
  let score = 0
  if (arrows.test(gap)) score += 2
  else if (before === undefined || /[.,;!?]\s*$/.test(gap)) score += 0.5
  if (before !== undefined && !/[.,;!?]/.test(gap)) {
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
    // `Raised by the partners`: who did it is no value.
    if (lead === 'by' && doneBy.test(words[at - 1]?.lower ?? '')) score -= 3
    // `Impossible to review`: the verb after `to` is no value.
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
  }
  // `Timezone IST`, `new producer: Ingrid`
  const isTyped = isTypedWord(words, start)
  if (head !== undefined && before !== undefined && root(before.lower) === head)
    if (/:\s*$/.test(gap) || (isTyped && /^\s*$/.test(gap))) score += 1.5
  if (isInParentheses(words, start)) score -= 2
  const rest = words.slice(end, end + 4)
  const after = rest.map((word) => word.gap + word.text).join('')
  const isNext = head !== undefined && before !== undefined && root(before.lower) === head
  // `Log level info please`
  if (isNext && gap === ' ' && /^\s*(?:please|pls|now)\b/i.test(after)) score += 1
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
  if (doesTheJob(words, end, frame)) score += 3
  // A new value usually follows the old one.
  const last = olds.at(-1)
  if (last !== undefined && start >= last.end) score += 0.5
  return score
}

/** `Not Postman, Bruno`, `cron is out, plain timers for the jobs`: what takes the place of the old value has a clause of its own. */
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

/** `Woodpecker runs our CI`, `Oda leads the project`: a subject that does what the property names. */
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
