import type { Place } from '../observe.ts'
import type { HeardMessage } from '../state/event.ts'
import type { MemoryState } from '../state/memory-state.ts'
import { changeCue, isAdditive } from '../understand/change-cues.ts'
import { isDocument, ownWords } from '../understand/own-words.ts'
import { splitSentences } from '../understand/sentences.ts'
import { isOneOff, stanceOf } from '../understand/stance.ts'
import { type FoundValue, findValues } from '../understand/values.ts'
import { readWords } from '../understand/words.ts'
import { isHeardAt } from '../visible.ts'
import { contentStem, root } from './stored-slot.ts'

/** A sentence of the user that gives a value to something, or denies something. */
export interface Statement {
  readonly text: string
  readonly message: HeardMessage
  /** What it is about: stems, without its values. */
  readonly frame: ReadonlySet<string>
  readonly values: readonly FoundValue[]
  readonly isDenial: boolean
  /** The words before the last value, when the sentence ends with it. */
  readonly lead?: string
  readonly last?: string
}

/** A later sentence that does not agree with an earlier one. */
export interface Disagreement {
  readonly earlier: Statement
  readonly sentence: string
  readonly old: string
  readonly new: string
  /** Whether the later sentence says that it changed. */
  readonly isChange: boolean
}

interface StatementIndex {
  readonly statements: Statement[]
  readonly byWord: Map<string, number[]>
  readonly seen: Set<string>
  /** The messages that are still to be read. */
  rest: Iterator<[string, HeardMessage]> | undefined
}

const indexes = new WeakMap<MemoryState, StatementIndex>()
const mostWords = 40
/** A word in more statements than this says little about what a statement is about. */
const mostWithWord = 400

const denial =
  /\b(?:never|have not|haven't|has not|hasn't|didn't|did not|don't have|no experience|not once|without ever)\b/i
const speech =
  /\b(?:say|says|said|told|tells?|claims?|thinks?|wants?|prefers?|suggests?|recommends?|asked|wrote)\b/i
const filler = new Set(
  'never any ever used have been like need want help think know make sure thank thanks please tri get good great new also really current currently start still now today week day time thing way lot use using work already far recently managed plan improv into about over just'
    .split(' ')
    .map(root),
)

function readStatement(text: string, message: HeardMessage): Statement | undefined {
  const stance = stanceOf(text)
  const ends = endOf(text)
  // `The author of Dune is …` is a fact about an author, not somebody's words.
  const isFact = stance === 'reported' && ends.lead !== undefined && !speech.test(text)
  if ((stance !== 'statement' && !isFact) || isOneOff(text)) return undefined
  const { words } = readWords(text)
  if (words.length < 4 || words.length > mostWords) return undefined
  const values = findValues(words).filter(({ kind }) => kind !== 'path')
  const isDenial = denial.test(text)
  const taken = new Set<number>()
  for (const { start, end } of values) for (let at = start; at < end; at++) taken.add(at)
  const frame = new Set(
    words.flatMap((word, at) => {
      const found = taken.has(at) ? undefined : contentStem(word)
      return found === undefined || filler.has(found) || /^\d/.test(found) ? [] : [found]
    }),
  )
  if (frame.size < 2) return undefined
  return { text, message, frame, values, isDenial, ...ends }
}

const connector = /^(?:is|are|was|were|by|of|in|to|for|as|from|with|plays|play|speaks|speak)$/
const notASubject = /^(?:i|we|it|this|that|there|you|they|he|she|so|and|but|if|when)$/
const longestEnd = 6

/** `The author of Dune is Frank Herbert`: the same words with another end disagree. */
function endOf(text: string): { readonly lead?: string; readonly last?: string } {
  const words = text
    .replace(/^\d+[.)]\s+/, '')
    .replace(/[.!]+$/, '')
    .split(/\s+/)
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
    seen: new Set(),
    rest: undefined,
  }
  indexes.set(state, index)
  return index
}

/** Indexes what was heard until `isDue`. Returns whether all of it is indexed. */
export function indexStatements(state: MemoryState, isDue: () => boolean): boolean {
  const index = indexOf(state)
  if (index.seen.size === state.heard.size) return true
  index.rest ??= state.heard.entries()
  for (let next = index.rest.next(); next.done !== true; next = index.rest.next()) {
    addToIndex(index, next.value)
    if (isDue()) return false
  }
  index.rest = undefined
  return index.seen.size >= state.heard.size || indexStatements(state, isDue)
}

function addToIndex(index: StatementIndex, [key, message]: [string, HeardMessage]): void {
  if (index.seen.has(key)) return
  index.seen.add(key)
  for (const statement of statementsOf(message)) {
    const place = index.statements.push(statement) - 1
    for (const word of [
      ...statement.frame,
      ...(statement.lead === undefined ? [] : [`=${statement.lead}`]),
    ]) {
      const list = index.byWord.get(word)
      if (list === undefined) index.byWord.set(word, [place])
      else list.push(place)
    }
  }
}

function statementsOf(message: HeardMessage): readonly Statement[] {
  if (message.role !== 'user' || isDocument(message.text)) return []
  const own = ownWords(message.text)
  return splitSentences(own.text).flatMap(
    (sentence) => readStatement(own.restore(sentence), message) ?? [],
  )
}

/** What earlier sentences of the user a message disagrees with, the best for each of its sentences. */
export function findDisagreements(
  state: MemoryState,
  message: HeardMessage,
  place: Place,
): readonly Disagreement[] {
  indexStatements(state, () => false)
  const { statements, byWord } = indexOf(state)
  return statementsOf(message).flatMap((later) => {
    const shared = new Map<number, number>()
    for (const word of later.frame) {
      const places = byWord.get(word) ?? []
      if (places.length > mostWithWord) continue
      for (const at of places) shared.set(at, (shared.get(at) ?? 0) + 1)
    }
    const same = byWord.get(`=${later.lead ?? ''}`) ?? []
    for (const at of same) shared.set(at, 1_000)
    const candidates = [...shared]
      .filter(([, count]) => count >= 2)
      .toSorted((a, b) => b[1] - a[1] || b[0] - a[0])
      .slice(0, 20)
    for (const [at, count] of candidates) {
      const earlier = statements[at]!
      if (earlier.message.id === message.id || earlier.message.saidAt > message.saidAt) continue
      if (!isHeardAt(earlier.message, place)) continue
      const found = disagreement(earlier, later, count)
      if (found !== undefined) return [found]
    }
    return []
  })
}

function disagreement(
  earlier: Statement,
  later: Statement,
  shared: number,
): Disagreement | undefined {
  if (isAdditive(later.text)) return undefined
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
      : found(earlier.last, later.last)
  const smaller = Math.min(earlier.frame.size, later.frame.size)
  if (earlier.isDenial !== later.isDenial) {
    const denied = earlier.isDenial ? earlier : later
    return shared >= 2 && shared >= 0.6 * denied.frame.size
      ? found(earlier.text, later.text)
      : undefined
  }
  const needed = isChange ? 2 : 3
  if (shared < needed || shared < (isChange ? 0.45 : 0.5) * smaller) return undefined
  for (const old of earlier.values)
    for (const newer of later.values) {
      if (old.kind !== newer.kind || old.kind === 'name') continue
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
