import { leadingValue } from '../lexicon/lookup.ts'
import type { Word } from './words.ts'

/** The kind of a value. A change replaces a value by another one of its kind. */
export type ValueKind =
  | 'url'
  | 'email'
  | 'path'
  | 'time'
  | 'date'
  | 'money'
  | 'percent'
  | 'version'
  | 'number'
  | 'name'

/** A value in a sentence: `words[start..end)`. */
export interface FoundValue {
  readonly kind: ValueKind
  readonly start: number
  readonly end: number
  readonly text: string
  /** What a number counts: `minutes`, `rows`; the lexicon attribute of a name. */
  readonly sort?: string
}

const days = 'mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun'
const weekday = new RegExp(`^(?:${days}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$`, 'i')
const month =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)$/i
const frequency =
  /^(?:hourly|daily|nightly|weekly|biweekly|monthly|quarterly|yearly|annually|fortnightly)$/i
const numberWords =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred)$/i
const digits = /^v?\d[\d.,]*(?:k|m|x)?$/i

export function isNumber(word: string): boolean {
  return digits.test(word) || numberWords.test(word)
}

const currency = /^(?:euros?|dollars|usd|eur)$/i
const withUnit = /^(?<amount>\d[\d.,]*)(?<unit>\p{L}+)$/u
const units: Readonly<Record<string, string>> = {
  s: 'time',
  sec: 'time',
  secs: 'time',
  second: 'time',
  seconds: 'time',
  ms: 'time',
  min: 'time',
  mins: 'time',
  minute: 'time',
  minutes: 'time',
  h: 'time',
  hour: 'time',
  hours: 'time',
  day: 'time',
  days: 'time',
  week: 'time',
  weeks: 'time',
  month: 'time',
  months: 'time',
  year: 'time',
  years: 'time',
  kb: 'size',
  mb: 'size',
  gb: 'size',
  tb: 'size',
  kib: 'size',
  mib: 'size',
  gib: 'size',
  hz: 'rate',
  khz: 'rate',
  mhz: 'rate',
  ghz: 'rate',
  fps: 'rate',
  m: 'length',
  km: 'length',
  mm: 'length',
  cm: 'length',
  px: 'pixels',
  rpm: 'turns',
  bpm: 'beats',
  baud: 'baud',
  kbps: 'bitrate',
  mbps: 'bitrate',
  gbps: 'bitrate',
  dpi: 'resolution',
  v: 'voltage',
  kg: 'weight',
  mah: 'charge',
  w: 'power',
  kw: 'power',
  euros: 'money',
  euro: 'money',
  dollars: 'money',
  usd: 'money',
  eur: 'money',
}

/** Short forms of what is counted. */
const counted: Readonly<Record<string, string>> = {
  char: 'character',
  chars: 'character',
  dev: 'developer',
  devs: 'developer',
  req: 'request',
  reqs: 'request',
}

/** What a unit measures, or what a number counts. Two numbers of one sort can replace each other. */
function sortOf(word: string | undefined): string | undefined {
  if (word === undefined) return undefined
  const lower = word.toLowerCase()
  return units[lower] ?? counted[lower] ?? lower.replace(/s$/, '')
}

/** The value that begins at a word, recognised by its form. */
function typedAt(words: readonly Word[], at: number): FoundValue | undefined {
  return addressAt(words, at) ?? momentAt(words, at) ?? figureAt(words, at)
}

function valueAt(
  words: readonly Word[],
  at: number,
  kind: ValueKind,
  length: number,
  sort?: string,
): FoundValue {
  return {
    kind,
    start: at,
    end: at + length,
    text: spellWords(words, at, at + length),
    ...(sort === undefined ? {} : { sort }),
  }
}

function addressAt(words: readonly Word[], at: number): FoundValue | undefined {
  const { text, lower, gap } = words[at]!
  if (/^\w[\w.+-]*@[\w-]+\.\w/.test(text)) return valueAt(words, at, 'email', 1)
  if (/^(?:[a-z][\w+.-]*:\/\/|s3:)/i.test(text)) return valueAt(words, at, 'url', 1)
  if (/^[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/.test(text) && /\p{L}/u.test(text) && isHostLike(lower))
    return valueAt(words, at, 'url', 1)
  if (/[/\\]$/.test(gap) || /^\.?[\w.-]*\/[\w./-]+$/.test(text))
    return valueAt(words, at, 'path', 1)
  return undefined
}

/** A time or a date. */
function momentAt(words: readonly Word[], at: number): FoundValue | undefined {
  const { text } = words[at]!
  const next = words[at + 1]
  const date = (length: number): FoundValue => valueAt(words, at, 'date', length)
  if (/^\d{1,2}:\d\d$/.test(text))
    return valueAt(words, at, 'time', next && /^(?:utc|cet|am|pm)$/i.test(next.text) ? 2 : 1)
  if (/^\d{1,2}\.\d{1,2}\.?(?:\d{2,4})?$/.test(text) && /^\d{2}\.\d{2}/.test(text)) return date(1)
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return date(1)
  if (isDay(words[at]) && isMonth(next)) return date(isYear(words[at + 2]) ? 3 : 2)
  if (/^\d{1,2}(?:st|nd|rd|th)$/i.test(text) && next?.lower === 'of' && isMonth(words[at + 2]))
    return date(isYear(words[at + 3]) ? 4 : 3)
  if (
    isMonth(words[at]) &&
    (text !== 'may' || /\b(?:in|to|until|by)$/.test(words[at - 1]?.lower ?? ''))
  )
    return date(!isDay(next) ? (isYear(next) ? 2 : 1) : isYear(words[at + 2]) ? 3 : 2)
  return weekday.test(text) ? valueAt(words, at, 'date', 1, 'weekday') : undefined
}

/** An amount, a share, a version or a number. */
function figureAt(words: readonly Word[], at: number): FoundValue | undefined {
  const { text } = words[at]!
  const next = words[at + 1]
  const number = (sort?: string): FoundValue => valueAt(words, at, 'number', 1, sort)
  if (frequency.test(text)) return number('time')
  if (/^[$€£]\d|^\d[\d.,]*\s?[€£]$/.test(text))
    return valueAt(words, at, 'money', next?.gap === ',' && /^\d{3}$/.test(next.text) ? 2 : 1)
  if (/^\d[\d.,]*\s?%$/.test(text)) return valueAt(words, at, 'percent', 1)
  if (/^\d+(?:\.\d+)*(?:\.\d+|\.x)$/.test(text) && text.split('.').length > 2)
    return valueAt(words, at, 'version', 1)
  if (/^v\d+(?:\.\d+)*$/i.test(text)) return valueAt(words, at, 'version', 1)
  if (/^\d+[-–]\d+$/.test(text)) return number('range')
  if (/^\d+(?:st|nd|rd|th)$/i.test(text))
    return number(next === undefined ? 'ordinal' : sortOf(next.lower))
  if (/^0x[\da-f]+$/i.test(text)) return number('hex')
  const joined = withUnit.exec(text)?.groups
  if (joined !== undefined && (units[joined.unit!.toLowerCase()] || /^[km]$/i.test(joined.unit!)))
    return number(/^[km]$/i.test(joined.unit!) ? undefined : sortOf(joined.unit))
  const hyphenated = /^(?<amount>[\p{L}\d]+)-(?<unit>\p{L}+)$/u.exec(text)?.groups
  if (hyphenated !== undefined && units[hyphenated.unit!] && isNumber(hyphenated.amount!))
    return number(units[hyphenated.unit!])
  return isNumber(text) ? countAt(words, at) : undefined
}

/** A number with the words that belong to it: its unit, its currency or what it counts. */
function countAt(words: readonly Word[], at: number): FoundValue {
  const next = words[at + 1]
  const countedSort = (counted: Word | undefined): string | undefined =>
    counted === undefined || isFunctionWord(counted.lower) ? undefined : sortOf(counted.lower)
  // `35,000` and `8 to 18` are one value each.
  if (next?.gap === ',' && /^\d{3}$/.test(next.text)) {
    const counted = words[at + 2]
    return currency.test(counted?.lower ?? '')
      ? valueAt(words, at, 'money', 3)
      : valueAt(words, at, 'number', 2, countedSort(counted))
  }
  if (
    next?.lower === 'to' &&
    /^\d+$/.test(words[at + 2]?.text ?? '') &&
    words[at - 1]?.lower !== 'from'
  )
    return valueAt(words, at, 'number', 3)
  if (next && currency.test(next.text)) return valueAt(words, at, 'money', 2)
  if (next?.text === '%' || next?.lower === 'percent') return valueAt(words, at, 'percent', 2)
  const unit = next !== undefined && /^[\s-]*$/.test(next.gap) ? next : undefined
  if (unit !== undefined && units[unit.lower] !== undefined)
    return valueAt(words, at, 'number', 2, sortOf(unit.lower))
  if (unit !== undefined && /^(?:million|billion|thousand)$/.test(unit.lower))
    return valueAt(words, at, 'number', 2, sortOf(words[at + 2]?.lower))
  return valueAt(words, at, 'number', 1, countedSort(unit))
}

function isDay(word: Word | undefined): boolean {
  return word !== undefined && /^\d{1,2}(?:st|nd|rd|th)?$/i.test(word.text)
}

export function isMonth(word: Word | undefined): boolean {
  return word !== undefined && month.test(word.text)
}

/** `2027` after a date. */
function isYear(word: Word | undefined): boolean {
  return word !== undefined && /^(?:19|20)\d\d$/.test(word.text) && /^[\s,]*$/.test(word.gap)
}

function isHostLike(lower: string): boolean {
  return /\.(?:com|org|net|dev|io|app|eu|de|fr|uk|co|ai|sh|example|local|internal)(?:\/|$)/.test(
    lower,
  )
}

const functionWord =
  /^(?:a|an|the|and|or|but|so|to|of|in|on|at|by|for|with|from|as|is|are|was|were|be|been|now|not|no|it|its|we|i|us|me|you|they|this|that|these|those|our|my|your|than|then|since|because|when|if|per|too|also|please|pls|instead|rather|anymore|again|only|just|under|into|onto|over|via|about|after|before|between|through|during|without|within|across|there|here|all|each|every|it's|that's|there's|we're|i'm|they're|you're|he's|she's|let's|i've|we've|i'd|don't|doesn't|isn't)$/

export function isFunctionWord(lower: string): boolean {
  return functionWord.test(lower)
}

export function spellWords(words: readonly Word[], start: number, end: number): string {
  return words
    .slice(start, end)
    .map(
      (word, index) =>
        (index === 0 ? (word.gap.match(/[/\\.]+$/)?.[0] ?? '') : word.gap) + word.text,
    )
    .join('')
    .trim()
}

/** A word spelled as a name: `Sentry`, `esp32-s3`, `app_rw`, `BACKEND_URL`, `checkout_v2`. */
export function isNameLike(words: readonly Word[], at: number): boolean {
  const { text, gap } = words[at]!
  const isTitled = /^(?:mr|mrs|ms|dr|prof)$/.test(words[at - 1]?.lower ?? '')
  if (/\p{L}.*[\d_.@#/:]|[\d_@#].*\p{L}|\p{Ll}\p{Lu}|-.*-/u.test(text)) return true
  if (!/^\p{Lu}/u.test(text)) return false
  if (/^(?:I|I'm|I've|I'd|OK|FYI|Ok)$/.test(text)) return false
  const opens = at === 0 || (/[.!?:]\s*$/.test(gap) && !isTitled)
  return !opens || /^\p{Lu}{2,}$/u.test(text)
}

/** Every typed and every known value of a sentence, in order. */
export function findValues(words: readonly Word[]): readonly FoundValue[] {
  const found: FoundValue[] = []
  for (let at = 0; at < words.length; ) {
    const known = leadingValue(words.slice(at).map(({ lower }) => lower))
    const typed = typedAt(words, at)
    if (known !== undefined && (typed === undefined || known.length >= typed.end - typed.start)) {
      const end = at + known.length
      const version = typedAt(words, end < words.length ? end : 0)
      const hasVersion =
        end < words.length &&
        version?.start === end &&
        (version.kind === 'version' || (version.kind === 'number' && version.sort === undefined)) &&
        words[end]!.gap.trim() === ''
      found.push({
        kind: 'name',
        start: at,
        end: hasVersion ? version.end : end,
        text: spellWords(words, at, hasVersion ? version.end : end),
        sort: known.known.attribute.name,
      })
      if (hasVersion) found.push(version)
      at = hasVersion ? version.end : end
    } else if (typed !== undefined) {
      found.push(typed)
      at = typed.end
    } else at++
  }
  return found
}
