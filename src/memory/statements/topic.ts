import { readWords } from '../understand/words.ts'

const stopWords = new Set(
  (
    'a an the this that these those my your his her its our their some any each every all both and or but nor so yet of in to for with on at from by ' +
    'about as into like through after over between out against during without before under around per via than is are was were am be been being do does ' +
    'did have has had can could will would shall should may might must not no yes i you he she it we they me him them us one there here what which who whom ' +
    'whose when where why how if then else also just only very too now still already again more most less least please let lets make made get got go going ' +
    'new old current currently today tomorrow yesterday tonight soon later update note correction actually change changed plans plan value actual way thing things ' +
    "need needs want wants use using used said says know think really well ok okay hold off back up down i'm we're it's that's i've we've i'll we'll let's don't doesn't " +
    'because due based confirm status info information provide given per'
  ).split(' '),
)

/** A word without the endings that grammar adds to it. */
export function stem(lower: string): string {
  const bare = lower.replace(/'s?$/, '').replace(/[.]+$/, '')
  if (bare.length < 5 || /\d/.test(bare)) return bare
  return bare
    .replace(/(?:ization|isation)$/, 'iz')
    .replace(/(?:ies)$/, 'y')
    .replace(/(?:ments?|ings?|ers?|ed|es|s|ly|ions?|al)$/, '')
    .replace(/(.)\1$/, '$1')
    .replace(/e$/, '')
}

/** What a text is about: its content words, stemmed. */
export function topicOf(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const word of readWords(text).words) {
    if (stopWords.has(word.lower) || word.lower.length < 2) continue
    found.add(stem(word.lower))
  }
  return found
}

export function sharedTopic(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return shared
}

const opener =
  '(?:so|but|and|then|remember|oh|by the way|btw|actually|as of today|as of now|currently|today)'
/** One separator pattern only: two would make `but, but, but` exponential. */
const slotPattern = new RegExp(
  String.raw`^(?:[^,:]{1,30}[,:]\s+)?(?:\W*${opener}(?:[,\s]\W*${opener})*[,\s]+)?` +
    String.raw`(?:the|our|my|your|this|that|their)?\s*(?<subject>(?:[\p{L}\p{N}'#/&-]+\s+){0,4}?[\p{L}\p{N}'#/&-]+)` +
    String.raw`\s+(?:is|are|was|were|will be|has been|'s)\s+(?:now\s+|currently\s+|at\s+|in\s+|on\s+|set to\s+|still\s+)*(?<value>[^.!?]+)`,
  'iu',
)

/** The property that a sentence gives a value to: `Our top priority is X`. */
export interface Slot {
  readonly subject: ReadonlySet<string>
  readonly value: string
}

const notASubject = /^(?:it|this|that|there|he|she|they|we|i|you|which|who|what|these|those)$/i

export function slotOf(sentence: string): Slot | undefined {
  const groups = slotPattern.exec(sentence)?.groups
  const subject = groups?.subject
  if (subject === undefined || groups?.value === undefined || notASubject.test(subject))
    return undefined
  const topic = topicOf(subject)
  if (topic.size === 0) return undefined
  return { subject: topic, value: groups.value.replace(/\b(?:now|instead|today)\s*$/i, '').trim() }
}

/** One subject names the other: `priority` and `top priority`, `the rate` and `the hourly rate`. */
export function sameSlot(a: Slot, b: Slot): boolean {
  const shared = sharedTopic(a.subject, b.subject)
  return shared > 0 && shared === Math.min(a.subject.size, b.subject.size)
}
