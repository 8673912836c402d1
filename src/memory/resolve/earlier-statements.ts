import { secretMark } from '../../core/words/secrets.ts'
import type { Place } from '../observe.ts'
import type { HeardMessage } from '../state/event.ts'
import type { MemoryState } from '../state/memory-state.ts'
import { changeCue, isAdditive } from '../understand/change-cues.ts'
import { isDocument, ownWords } from '../understand/own-words.ts'
import { splitSentences, withoutEndMark } from '../understand/sentences.ts'
import { isOneOff, stanceOf } from '../understand/stance.ts'
import { type FoundValue, findValues } from '../understand/values.ts'
import { readWords, type Word } from '../understand/words.ts'
import { isHeardAt } from '../visible.ts'
import { IncrementalReader } from './incremental-reader.ts'
import { contentStem, root } from './stored-slot.ts'
import { hasOtherSubject, isAboutOtherKind } from './subject.ts'

interface PlacedValue extends FoundValue {
  /** The content word before it. */
  readonly beside: string | undefined
}

/** A sentence of the user that gives a value to something, or denies something. */
export interface EarlierStatement {
  readonly text: string
  readonly message: HeardMessage
  /** What it is about: stems, without its values. */
  readonly frame: ReadonlySet<string>
  readonly values: readonly PlacedValue[]
  readonly isDenial: boolean
  /** The words before the last value, when the sentence ends with it. */
  readonly lead?: string
  readonly last?: string
}

/** A later sentence that does not agree with an earlier one. */
export interface Disagreement {
  readonly earlier: EarlierStatement
  readonly sentence: string
  readonly old: string
  readonly new: string
  /** Whether the later sentence says that it changed. */
  readonly isChange: boolean
  /** The words before the value, when both sentences have the same ones. */
  readonly lead?: string
}

interface StatementIndex {
  readonly statements: EarlierStatement[]
  /** Positions in `statements`. */
  readonly byWord: Map<string, number[]>
  readonly reader: IncrementalReader<HeardMessage>
}

/** Reading all messages again for every new one would be slow in a large memory. */
const indexes = new WeakMap<MemoryState, StatementIndex>()
const mostWords = 40
const mostCompared = 20
/** Statements with the same words up to their ends rank above any number of shared words. */
const sameLead = 1_000
/** A word in more statements than this says little about what a statement is about. */
const mostWithWord = 400

const denial =
  /\b(?:never|have not|haven't|has not|hasn't|didn't|did not|don't have|no experience|not once|without ever)\b/i
/** `… in my life`, `or anyone else`, `with anyone`: words that only make a denial wider. */
const wider =
  /\s(?:in my (?:whole |entire )?life|at all|myself|(?:(?:or|nor|to|with|for|from|by) )?any(?:one|body|thing)(?: else)?|(?:or|nor) any \p{L}+)(?![\p{L}'])/giu
const ofAnything = /\bnever \p{L}+ any(?:one|body|thing)\b/iu
/** Irregular forms, so that a denial and a claim have the same verb. */
const irregularVerbs: ReadonlyMap<string, string> = new Map(
  'give:gave,given write:wrote,written take:took,taken run:ran build:built see:saw,seen do:did,done go:went,gone buy:bought teach:taught bring:brought speak:spoke,spoken drive:drove,driven choose:chose,chosen break:broke,broken sell:sold send:sent spend:spent meet:met hold:held keep:kept leave:left lose:lost begin:began,begun draw:drew,drawn fly:flew,flown grow:grew,grown wear:wore,worn swim:swam,swum sing:sang,sung ride:rode,ridden eat:ate,eaten catch:caught fight:fought lend:lent pay:paid read:read make:made find:found win:won'
    .split(' ')
    .flatMap((entry) => {
      const [verb = '', forms = ''] = entry.split(':')
      return forms.split(',').map((form): [string, string] => [form, verb])
    }),
)
const speech =
  /\b(?:say|says|said|told|tells?|claims?|thinks?|wants?|prefers?|suggests?|recommends?|asked|wrote)\b/i
const filler = new Set(
  'never any ever used have been like need want help think know make sure thank thanks please tri get good great new also really current currently start still now today week day time thing way lot use using work already far recently managed plan improv into about over just'
    .split(' ')
    .map(root),
)

/** A sentence without what others think of it, and with a plan worded as a fact. */
function asFact(text: string): string {
  return text
    .replace(
      /(?:,|\sand|\sbut)\s+(?:she|he|they)\s+(?:really\s+)?(?:likes?|loves?|hates?|thinks?|says?|said|told|wants?|prefers?|found|agrees?|agreed|suggests?|suggested)\b.*$/isu,
      '',
    )
    .replace(/\b(i|we)(?:'m| am|'re| are)? (?:plan|planning|intend|aim|want) to\b/iu, '$1')
}

function readStatement(sentence: string, message: HeardMessage): EarlierStatement | undefined {
  if (sentence.includes(secretMark)) return undefined
  const text = sentence
  const fact = asFact(text)
  const stance = stanceOf(fact)
  const ends = endOf(text)
  // `The author of Dune is …` is a fact about an author, not somebody's words.
  const isFact = stance === 'reported' && ends.lead !== undefined && !speech.test(text)
  if ((stance !== 'statement' && !isFact) || isOneOff(text)) return undefined
  const isDenial = denial.test(text)
  // `I have never used Docker, so explain it`: only the clause that denies counts.
  const said = isDenial
    ? (clauses(fact).find((each) => denial.test(each)) ?? fact).replace(wider, '')
    : fact
  const { words } = readWords(said)
  if (words.length < 4 || words.length > mostWords) return undefined
  const values = findValues(words)
    .filter((value) => value.kind !== 'path' && !isReference(words, value))
    .map((value) => ({ ...value, beside: besideOf(words, value) }))
  const taken = new Set<number>()
  for (const { start, end } of values.filter(({ kind }) => kind !== 'name'))
    for (let at = start; at < end; at++) taken.add(at)
  const frame = new Set(
    words.flatMap((word, at) => {
      const verb = irregularVerbs.get(word.lower)
      const stemmed = verb === undefined ? contentStem(word) : root(verb)
      const found = taken.has(at) ? undefined : stemmed
      return found === undefined || filler.has(found) || /^\d/.test(found) ? [] : [found]
    }),
  )
  const fewest = isDenial && ofAnything.test(fact) ? 1 : 2
  if (frame.size < fewest && ends.lead === undefined) return undefined
  return { text, message, frame, values, isDenial, ...ends }
}

function clauses(text: string): readonly string[] {
  return text.split(/[,;:]\s+|\s(?:so|but|because|which)\s/u)
}

/** Whether a number is a part of a name and not a value: `the comment on PR 188`. */
function isReference(words: readonly Word[], { start, kind }: FoundValue): boolean {
  return (
    kind === 'number' &&
    (/^#/.test(words[start]!.text) ||
      /^(?:pr|prs|issue|ticket|step|line|page|chapter|question|option|commit|section|row|column|task|phase|item|number|job|build|run)$/.test(
        words[start - 1]?.lower ?? '',
      ))
  )
}

const reach = 4

/** The content word that is nearest before a value: `coverage` in `test coverage is at 78%`. */
function besideOf(words: readonly Word[], { start }: FoundValue): string | undefined {
  for (let at = start - 1; at >= Math.max(0, start - reach); at--) {
    const found = contentStem(words[at]!)
    if (found !== undefined && !filler.has(found)) return found
  }
  return undefined
}

const connector = /^(?:is|are|was|were|by|of|in|to|for|as|from|with|plays|play|speaks|speak)$/
const notASubject = /^(?:i|we|it|this|that|there|you|they|he|she|so|and|but|if|when)$/
const longestEnd = 6
const heldBy =
  /^(?<name>\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*){0,3}) (?<verb>is|was) (?<role>the [\p{Ll}][\p{L} -]* of \S.*)$/u

const oneValue =
  /\bthe [\p{L} -]+ of\b|'s [\p{L} -]+ (?:is|was)$|\ba citizen of$|\b(?:born|died|founded|created|written|invented|developed|directed|produced|performed|composed|published|designed|located|headquartered|married|named|called|employed)(?: \p{L}+)?$/u

/** Whether a sentence up to its end has room for one value only: `the author of Dune is`, `Ada was born in`. */
function hasOneValue(lead: string): boolean {
  return oneValue.test(lead) && !/^(?:our|my|we|i)\b/.test(lead)
}

/** `The author of Dune is Frank Herbert`: the same words with another end disagree. */
function endOf(text: string): { readonly lead?: string; readonly last?: string } {
  const plain = withoutEndMark(text.replace(/^\d+[.)]\s+/, ''))
  // `Jo Hall is the director of Elmwood` says the same as `the director of Elmwood is Jo Hall`.
  const held = heldBy.exec(plain)?.groups
  if (held !== undefined)
    return { lead: `${held.role} ${held.verb}`.toLowerCase(), last: held.name! }
  if (!/^[\p{L}\p{N}\s'’.&-]+$/u.test(plain)) return {}
  const words = plain.split(/\s+/)
  if (notASubject.test(words[0]!.toLowerCase()) || /[,;:]/.test(text)) return {}
  const isName = (at: number): boolean => /^\p{Lu}/u.test(words[at] ?? '')
  for (let at = words.length - 2; at > 1; at--) {
    if (!connector.test(words[at]!)) continue
    // `United States of America` is one name.
    if (isName(at - 1) && isName(at + 1) && /^(?:of|for|in)$/.test(words[at]!)) continue
    const last = words.slice(at + 1)
    const isGiven = last.length <= longestEnd && !/^(?:not|a|an|very|too|so|being)$/.test(last[0]!)
    if (!isGiven || !words.slice(1).some((_, index) => isName(index + 1))) return {}
    return {
      lead: words
        .slice(0, at + 1)
        .join(' ')
        .toLowerCase(),
      last: last.join(' '),
    }
  }
  return {}
}

function indexOf(state: MemoryState): StatementIndex {
  const index = indexes.get(state) ?? {
    statements: [],
    byWord: new Map(),
    reader: new IncrementalReader(),
  }
  indexes.set(state, index)
  return index
}

/** Indexes the stored messages until `isDue`. Returns whether all of them are indexed. */
export function indexStatements(state: MemoryState, isDue: () => boolean): boolean {
  const index = indexOf(state)
  return index.reader.read(state.heard, (message) => addToIndex(index, message), isDue)
}

function addToIndex({ statements, byWord }: StatementIndex, message: HeardMessage): void {
  for (const statement of statementsOf(message)) {
    const place = statements.push(statement) - 1
    for (const word of [
      ...statement.frame,
      ...(statement.lead === undefined ? [] : [`=${statement.lead}`]),
    ]) {
      const list = byWord.get(word)
      if (list === undefined) byWord.set(word, [place])
      else list.push(place)
    }
  }
}

function statementsOf(message: HeardMessage): readonly EarlierStatement[] {
  if (message.role !== 'user') return []
  const own = ownWords(message.text)
  const found = splitSentences(own.text).flatMap(
    (sentence) => readStatement(own.restore(sentence), message) ?? [],
  )
  // Of a pasted text only facts with one value count.
  return isDocument(message.text)
    ? found.filter(({ lead }) => lead !== undefined && hasOneValue(lead))
    : found
}

/** For each sentence of a message, the earlier sentence of the user that it disagrees with most clearly. */
export function findDisagreements(
  state: MemoryState,
  message: HeardMessage,
  place: Place,
): readonly Disagreement[] {
  indexStatements(state, () => false)
  const { statements, byWord } = indexOf(state)
  const own = statementsOf(message)
  return own.flatMap((later, index) => {
    // Within one message only facts with a single value are compared, because a list may state one of them twice.
    const before =
      later.lead === undefined || !hasOneValue(later.lead)
        ? undefined
        : own.slice(0, index).findLast(({ lead }) => lead === later.lead)
    if (before !== undefined) return disagreement(before, later, 0) ?? []
    const shared = new Map<number, number>()
    for (const word of later.frame) {
      const places = byWord.get(word) ?? []
      if (places.length > mostWithWord) continue
      for (const at of places) shared.set(at, (shared.get(at) ?? 0) + 1)
    }
    const same = byWord.get(`=${later.lead ?? ''}`) ?? []
    for (const at of same) shared.set(at, sameLead)
    const candidates = [...shared]
      .toSorted((a, b) => b[1] - a[1] || b[0] - a[0])
      .slice(0, mostCompared)
    for (const [at, count] of candidates) {
      const earlier = statements[at]!
      if (earlier.message.id === message.id || earlier.message.saidAt > message.saidAt) continue
      if (!isHeardAt(earlier.message, place)) continue
      const found = disagreement(earlier, later, count)
      if (found !== undefined) return [found]
      // The newest statement with the same words agrees, so older ones do not matter.
      if (count === sameLead) return []
    }
    return []
  })
}

function disagreement(
  earlier: EarlierStatement,
  later: EarlierStatement,
  shared: number,
): Disagreement | undefined {
  if (isAdditive(later.text) || isAboutOtherKind(later.text, earlier.text)) return undefined
  const isChange = changeCue(later.text) === 'strong'
  const found = (old: string, newer: string): Disagreement => ({
    earlier,
    sentence: later.text,
    old,
    new: newer,
    isChange,
  })
  if (
    earlier.lead !== undefined &&
    earlier.lead === later.lead &&
    earlier.last !== undefined &&
    later.last !== undefined
  )
    return earlier.last.toLowerCase() === later.last.toLowerCase()
      ? undefined
      : {
          ...found(earlier.last, later.last),
          lead: earlier.lead,
          isChange: isChange || hasOneValue(earlier.lead),
        }
  const smaller = Math.min(earlier.frame.size, later.frame.size)
  if (earlier.isDenial !== later.isDenial) {
    const denied = earlier.isDenial ? earlier : later
    const claimed = earlier.isDenial ? later : earlier
    // `I have never soldered anything` denies that I have soldered a pin.
    const fewest = denied.frame.size === 1 && /\b(?:i|we)\b/i.test(claimed.text) ? 1 : 2
    return shared >= fewest && shared >= 0.6 * denied.frame.size
      ? found(earlier.text, later.text)
      : undefined
  }
  if (hasOtherSubject(later.text, earlier.text, earlier.frame)) return undefined
  for (const old of earlier.values)
    for (const newer of later.values) {
      if (old.kind !== newer.kind || old.kind === 'name') continue
      // The same word before both values says most: `coverage is at`, `Flask-Login 0.6.2`.
      const isBeside = old.beside !== undefined && old.beside === newer.beside
      const isCounted =
        old.sort !== undefined && old.sort === newer.sort && earlier.frame.has(root(old.sort))
      const count = shared + (isBeside ? 1 : 0) + (isCounted ? 1 : 0)
      const needed = isChange ? 2 : 3
      const isSame = isBeside && old.kind === 'version'
      if (!isSame && (count < needed || count < (isChange ? 0.45 : 0.5) * smaller)) continue
      if (old.sort !== newer.sort || old.text.toLowerCase() === newer.text.toLowerCase()) continue
      if (
        later.values.some(({ text }) => text.toLowerCase() === old.text.toLowerCase()) &&
        !isChange
      )
        continue
      return found(old.text, newer.text)
    }
  return undefined
}
