/** The grammatical class of a word, guessed from its form alone. */
export type WordClass =
  | 'question'
  | 'auxiliary'
  | 'article'
  | 'preposition'
  | 'pronoun'
  | 'conjunction'
  | 'negation'
  | 'number'
  | 'name'
  | 'participle'
  | 'gerund'
  | 'plural'
  | 'adverb'
  | 'word'

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

const questionWords = list('who whom whose what which when where why how whos whats wheres hows')
const auxiliaries = list(
  'is are was were am be been being do does did have has had can could will would shall should may might must ' +
    "isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't won't wouldn't shouldn't " +
    "mustn't cannot what's who's where's how's it's that's there's i'm you're we're they're i've we've let's",
)
const articles = list(
  'a an the this that these those my your his her its our their some any each every all both another such no',
)
const prepositions = list(
  'of in to for with on at from by about as into like through after over between out against during without before ' +
    'under around among across behind beyond upon within toward towards via per off onto near until since besides ' +
    'except despite regarding than up down along',
)
const pronouns = list(
  'i you he she it we they me him them us one someone anyone everyone something anything nothing there who whoever ' +
    'myself itself himself themselves yourself ourselves',
)
const conjunctions = list(
  'and or but nor yet so because although though while if whether that unless',
)
const negations = list('not never neither')

/** The class of a word. The first word of a sentence is always capitalised, so it is never classed as a name. */
export function wordClass(text: string, position: 'first' | 'inner'): WordClass {
  const lower = text.toLowerCase().replaceAll('’', "'")
  if (questionWords.has(lower)) return 'question'
  if (auxiliaries.has(lower)) return 'auxiliary'
  if (negations.has(lower)) return 'negation'
  if (articles.has(lower)) return 'article'
  if (prepositions.has(lower)) return 'preposition'
  if (pronouns.has(lower)) return 'pronoun'
  if (conjunctions.has(lower)) return 'conjunction'
  if (/\d/.test(lower) || numerals.has(lower)) return 'number'
  if (position === 'inner' && /^\p{Lu}/u.test(text)) return 'name'
  if (/.{3}ing$/.test(lower)) return 'gerund'
  if (/.{2}ed$/.test(lower)) return 'participle'
  if (/.{3}ly$/.test(lower)) return 'adverb'
  if (/[^s]s$/.test(lower) && lower.length > 3) return 'plural'
  return 'word'
}

const numerals = list(
  'zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand ' +
    'million billion first second third fourth fifth sixth seventh eighth ninth tenth',
)

export function isQuestionWord(lower: string): boolean {
  return questionWords.has(lower)
}

export function isAuxiliary(lower: string): boolean {
  return auxiliaries.has(lower)
}
