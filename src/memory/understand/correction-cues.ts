/**
 * All phrases with which speakers correct themselves, in one table. To support a new phrase, add it to the group that
 * behaves the same way.
 */

/** `asked` corrects only inside a question; `link` belongs to a cue only next to another cue. */
export type CueWeight = 'strong' | 'asked' | 'weak' | 'filler' | 'link'

interface CueGroup {
  /** What a phrase means between two parts of a sentence: `npm, my bad, pnpm`. */
  readonly inside?: CueWeight
  /**
   * The effect at the beginning of a sentence. `corrects` replaces the earlier statement (`My bad, pnpm.`), `corrects with
   * a pause` only before punctuation (`Update: pnpm.`), `refuses` only before a bare value (`No, pnpm.`). `leads` may come
   * before one of them (`Oh, my bad, pnpm.`).
   */
  readonly opening?: 'corrects' | 'corrects with a pause' | 'refuses' | 'leads'
  /** The sentence replaces an earlier one when it begins with the phrase, or contains it anywhere. */
  readonly updates?: 'opening' | 'anywhere'
  /** The sentence leaves out what it is about: `Make that 5 pm.` */
  readonly elliptical?: true
  /** A value follows (`I meant pnpm`), or a value and what it replaces (`I mean pnpm, not npm`). */
  readonly names?: 'value' | 'contrast'
  /** Separated by commas. Groups with only `updates` or `elliptical` may contain patterns. */
  readonly phrases: string
}

const table: readonly CueGroup[] = [
  {
    inside: 'strong',
    opening: 'corrects',
    phrases: `
      no wait, wait no, no sorry, sorry no, strike that, cancel that, scrap that, scratch this, correct that, sorry,
      i'm sorry, im sorry, i am sorry, so sorry, my apologies, my bad, my mistake, my fault, i misspoke, never mind,
      nevermind, let me correct myself, let me correct that, correction, on second thought, i take that back`,
  },
  {
    inside: 'strong',
    opening: 'corrects',
    elliptical: true,
    updates: 'anywhere',
    phrases: 'scratch that, make that',
  },
  { inside: 'strong', opening: 'corrects', names: 'contrast', phrases: 'i mean, i mean to say' },
  {
    inside: 'strong',
    opening: 'corrects',
    names: 'value',
    phrases: 'i meant, i meant to say, i meant to write',
  },
  {
    inside: 'strong',
    phrases: `
      no no, no not that, no not this, not that, or rather, or no, or wait, or actually, or really, or better yet,
      or better, or should i say, or i should say, i should say, or uh, or um, or instead, or sorry, or er, or oh,
      i meant to ask, i mean to ask, forget that, change that to, or more specifically, apologies, pardon, pardon me,
      excuse me, forgive me, hold on, hang on, let me rephrase, let me rephrase that, let me restate, let me start over,
      wait a minute, wait a second, wait a sec, one second, second thought, to be precise, that is to say, to be exact,
      that's wrong, that's not right, not really, better yet, that's not it, or more precisely, or more generally,
      or more particularly, swap that to, swap that for, swap that with, change that for, i intended, i intended to say`,
  },
  {
    inside: 'asked',
    phrases: `
      or maybe, or i guess, or i think, or i believe, or perhaps, or first, no first, let's say, or just, or is it,
      actually i think, or like, or let's say, or let me, more specifically, i want to say`,
  },
  { inside: 'weak', opening: 'refuses', phrases: 'no, nope, nah' },
  { inside: 'weak', opening: 'refuses', updates: 'opening', phrases: 'wait' },
  { inside: 'weak', opening: 'corrects', phrases: 'actually' },
  { inside: 'weak', opening: 'leads', phrases: 'well' },
  { inside: 'weak', updates: 'anywhere', elliptical: true, phrases: 'instead' },
  { inside: 'weak', phrases: 'rather, really, that is, i guess, as in' },
  {
    inside: 'filler',
    opening: 'leads',
    phrases: `
      uh, uhh, um, umm, ummm, uhm, er, err, erm, ergh, ah, ahh, eh, oh, ooh, oops, opps, ahem, oof, yikes, urgh, argh,
      ack, eek, erg, damnit, dammit, whoopsie, doh, bah, aw, oop, oopsie, whoops, woops, ugh, huh, hm, hmm, oy, darn, dang,
      dang it, darn it, blast it, shoot, gosh, geez, jeez, crap, damn, hoo boy, oh boy, holy moley, holy moly, oh my`,
  },
  { inside: 'link', opening: 'leads', phrases: 'and, but, yeah, okay, ok, so' },
  { inside: 'link', phrases: 'or, like, yes, just, please, maybe, man' },
  { opening: 'leads', phrases: 'hey' },
  {
    opening: 'corrects',
    phrases: 'on second thoughts, change of plan, change of plans, quick correction',
  },
  {
    opening: 'corrects with a pause',
    updates: 'opening',
    phrases: 'update, new plan, revised, revision, edit, amendment',
  },
  {
    updates: 'anywhere',
    elliptical: true,
    phrases: String.raw`change (?:that|it|the [\w ]{2\,20}) to, overrid(?:e|ing)`,
  },
  { elliptical: true, phrases: `change (?:that|it), let's try, let's go back, send it` },
  {
    updates: 'anywhere',
    phrases: String.raw`
      rescheduled, postponed, moved? (?:it |this |that |them |the \w+ )?(?:to|from), pushed (?:back|to), no longer,
      anymore, cancell?ed, called off, revers(?:ed|al), overrid(?:es|den), overrode, replaces, finali[sz]ed,
      the official, official plan, (?:the )?final [\w ]{0\,20}(?:is|are), (?:is|are) now,
      now (?:is|are|requires?|needs?|uses?|must|has|have|costs?|only), now[.!]*$, as of (?:today|now), from now on,
      hold off, (?:go|going) back to, switch(?:ed|ing)? (?:back )?to, resolved, re-?opened,
      was (?:also )?(?:wrong|incorrect|outdated), is the one, slight change`,
  },
]

/** The phrases of the matching groups. */
function phrasesOf(isMeant: (group: CueGroup) => boolean): readonly string[] {
  return table.filter(isMeant).flatMap(({ phrases }) =>
    phrases
      .trim()
      .split(/(?<!\\),\s*/)
      .map((phrase) => phrase.replaceAll('\\,', ',').replace(/\s+/g, ' ')),
  )
}

/** Longest first, so that `i meant to say` is not read as `i meant`. */
function alternatives(phrases: readonly string[], gap = ' '): string {
  return phrases
    .toSorted((one, other) => other.length - one.length)
    .map((phrase) => phrase.replaceAll(' ', gap))
    .join('|')
}

const weights: ReadonlyMap<string, CueWeight> = new Map(
  table.flatMap((group) =>
    group.inside === undefined
      ? []
      : phrasesOf((each) => each === group).map((phrase) => [phrase, group.inside!] as const),
  ),
)

/** How many words the longest phrase has. */
export const longestCuePhrase: number = Math.max(
  ...[...weights.keys()].map((phrase) => phrase.split(' ').length),
)

/** How strongly a phrase signals a correction. Also accepts drawn-out interjections: `ummm`, `ooof`, `nooo`. */
export function cueWeight(phrase: string): CueWeight | undefined {
  const plain = phrase.replace(/\s+/g, ' ')
  return weights.get(plain) ?? weights.get(shortened(plain))
}

function shortened(phrase: string): string {
  return phrase.replace(/(\p{L})\1{2,}/gu, '$1').replace(/^([uoe])\1(?=[mhfr]+$)/, '$1')
}

const gap = String.raw`[,.\s]+`
/** The phrases that correct the earlier statement when they begin a sentence. */
export const correctingPhrases: readonly string[] = phrasesOf(
  ({ opening }) => opening === 'corrects',
)
const correctsWithPause = phrasesOf(({ opening }) => opening === 'corrects with a pause')
const refuses = phrasesOf(({ opening }) => opening === 'refuses')
const leads = [
  ...phrasesOf(({ opening, inside }) => opening === 'leads' && inside !== 'filler'),
  // `hmmm`, `ohh`
  ...phrasesOf(({ opening, inside }) => opening === 'leads' && inside === 'filler').map(
    (phrase) => `${phrase}+`,
  ),
]

const correctingStep = new RegExp(
  String.raw`(?:(?:${alternatives(correctingPhrases, gap)})[,.:;!—–\s-]+|(?:${alternatives(correctsWithPause, gap)})\s*[,:;!—–-]+\s*)`,
  'iuy',
)
const leadingStep = new RegExp(
  `(?:(?<refuses>${alternatives(refuses)})|${alternatives(leads)})${gap}`,
  'iuy',
)
/** After a correcting cue, further cues need a pause: the `no` in `actually, no semicolons` is not a cue. */
const pausedStep = new RegExp(
  String.raw`(?:${alternatives([...refuses, ...leads])})[,.]+\s*`,
  'iuy',
)

export interface SentenceOpening {
  /** `none`: the sentence does not begin with a correction cue. */
  readonly kind: 'corrects' | 'refuses' | 'none'
  /** The sentence without its cues. */
  readonly rest: string
}

/** Reads the cues with which a sentence begins: `Oh no, sorry, I meant pnpm.` corrects, `No, pnpm.` refuses. */
export function readOpening(sentence: string): SentenceOpening {
  const text = sentence.replaceAll('’', "'")
  let at = 0
  let kind: SentenceOpening['kind'] = 'none'
  const step = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  for (;;) {
    if (step(correctingStep) !== null) {
      kind = 'corrects'
      continue
    }
    const lead = step(kind === 'corrects' ? pausedStep : leadingStep)
    if (lead === null) break
    if (kind === 'none' && lead.groups?.refuses !== undefined) kind = 'refuses'
  }
  return { kind, rest: kind === 'none' ? sentence : sentence.slice(at) }
}

/** Phrases that may follow a correcting `no`: `REST, no wait, GraphQL`. */
export const opensAfterNo: string = alternatives([...correctingPhrases, ...refuses])

const updatesOpening = alternatives(phrasesOf(({ updates }) => updates === 'opening'))
const updatesAnywhere = alternatives(phrasesOf(({ updates }) => updates === 'anywhere'))
const updating = new RegExp(
  String.raw`^\W*(?:${updatesOpening})\b|\b(?:${updatesAnywhere})\b`,
  'iu',
)
const leavesOut = new RegExp(
  String.raw`\b(?:${alternatives(phrasesOf(({ elliptical }) => elliptical === true))})\b`,
  'iu',
)

/** Whether a sentence replaces an earlier statement: `Update: …`, `… was cancelled`. */
export function isUpdate(sentence: string): boolean {
  return updating.test(sentence) || readOpening(sentence.replace(/^\W+/, '')).kind === 'corrects'
}

/** Whether a sentence names only the new value and not the property: `Make that 5 pm.` */
export function isElliptical(sentence: string): boolean {
  return leavesOut.test(sentence)
}

/** A pattern of the cues before a value: `I meant pnpm`. */
export const namesNewValue: string = alternatives(
  phrasesOf(({ names }) => names === 'value'),
  String.raw`\s+`,
)
/** A pattern of the cues before a value and its contrast: `I mean pnpm, not npm`. */
export const namesContrast: string = alternatives(
  phrasesOf(({ names }) => names !== undefined),
  String.raw`\s+`,
)
