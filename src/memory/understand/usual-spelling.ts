/** Words without their apostrophe, and the short forms of chats. */
const written: Readonly<Record<string, string>> = {
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  isnt: "isn't",
  arent: "aren't",
  wasnt: "wasn't",
  werent: "weren't",
  wont: "won't",
  cant: "can't",
  couldnt: "couldn't",
  shouldnt: "shouldn't",
  wouldnt: "wouldn't",
  havent: "haven't",
  hasnt: "hasn't",
  im: "I'm",
  ive: "I've",
  youre: "you're",
  theyre: "they're",
  weve: "we've",
  thats: "that's",
  whats: "what's",
  lets: "let's",
  everythings: "everything's",
  u: 'you',
  ur: 'your',
  plz: 'please',
  evr: 'ever',
  teh: 'the',
  nwo: 'now',
  adn: 'and',
  taht: 'that',
  wiht: 'with',
  jsut: 'just',
  mor: 'more',
}

/** Words that signal a change and are long enough to be recognised with a typing error. */
const cueWords =
  'anymore instead longer switched switching changed changing replaced renamed migrated dropped removed retired updated upgraded increased reduced extended already always actually correction please without required minutes seconds months nowadays everywhere decided settled'.split(
    ' ',
  )
/** English words that differ from a cue word by one letter. */
const otherWords = new Set(['loner', 'lounger', 'retried', 'moths', 'minuets'])

/** Whether a word is another one with two letters swapped, or with one letter too many or too few inside. */
function isTypingError(typed: string, meant: string): boolean {
  if (typed === meant || typed[0] !== meant[0]) return false
  if (Math.abs(typed.length - meant.length) > 1) return false
  let from = 0
  while (typed[from] === meant[from]) from++
  // A last letter more or less is another form of the word.
  if (typed.length !== meant.length && typed.at(-1) !== meant.at(-1)) return false
  if (typed.length > meant.length) return typed.slice(from + 1) === meant.slice(from)
  if (typed.length < meant.length) return typed.slice(from) === meant.slice(from + 1)
  return (
    typed[from] === meant[from + 1] &&
    typed[from + 1] === meant[from] &&
    typed.slice(from + 2) === meant.slice(from + 2)
  )
}

function usualWord(word: string): string {
  const lower = word.toLowerCase()
  const known = Object.hasOwn(written, lower) ? written[lower] : undefined
  if (known !== undefined && (lower === word || lower.length > 2)) return known
  if (lower.length < 5 || otherWords.has(lower) || lower !== word) return word
  return cueWords.find((cue) => isTypingError(lower, cue)) ?? word
}

/** Words of change in languages that people mix with English. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [/\bab (?:jetzt|sofort)\b/giu, 'from now on'],
  [/\b(?:nicht|kein\p{L}*) mehr\b/giu, 'no longer'],
  [/\b(?:an)?statt\b/giu, 'instead of'],
  [/\bjetzt\b/giu, 'now'],
  [/\b(?:ersetzt|abgelöst)\b/giu, 'replaced'],
  [/\b(?:umgestellt|umgestiegen|gewechselt) (?:auf|zu)\b/giu, 'switched to'],
  [/(?<=\s)(?:désormais|dorénavant|maintenant)\b/giu, 'now'],
  [/\bau lieu (?:de\b|d['’])/giu, 'instead of'],
  [/\bon a (?:quitté|abandonné)\b/giu, 'we left'],
  [/\bahora\b/giu, 'now'],
  [/\bya no\b/giu, 'no longer'],
  [/\ben (?:vez|lugar) de\b/giu, 'instead of'],
]

/**
 * A text in usual spelling, as far as its words of change need it: `were on bun` means `we're on bun`, `no mor mp3s plz`
 * means `no more mp3s please`. Names and values stay as they are.
 */
export function withUsualSpelling(text: string): string {
  const spelled = text
    .replaceAll('’', "'")
    .replace(/(?<!\s)\s*(?:❌|🚫)\uFE0F?(?=\s|$)/gu, ' is gone,')
    .replace(/(?<!\s)\s*(?:✅|✔)\uFE0F?(?=\s|$)/gu, ' it is,')
    .replace(
      /(?<!\s)\s*\p{Extended_Pictographic}(?:\uFE0F|\u200D|\p{Extended_Pictographic}|\p{EMod})*/gu,
      '',
    )
    .replace(/(?<![\p{L}\p{N}_.@/-])\p{L}+(?![\p{L}\p{N}_@/]|-\p{L}|\.\p{L})/gu, usualWord)
    // `Tiles r 32 px now`, but not the language R.
    .replace(/(?<=\b(?:\p{L}{3,}s|you|we|they) )r(?= \S)/gu, 'are')
    .replace(/\bform (?=(?:now|today|here) on\b)/giu, 'from ')
    // `I work not more with Eagle`
    .replace(/\bnot more (?!than\b)/giu, 'no more ')
    .replace(
      /(^|[,;.!?]\s+|\b(?:so|and|but|ok|okay|btw|fyi)\s+)were (?=on\b|in\b|back\b|now\b|using\b|all\b|done\b|doing\b|going\b|moving\b|not\b)/giu,
      "$1we're ",
    )
    .replace(
      /(^|[,;.!?]\s+|\b(?:and|but|btw|fyi|because)\s+)its (?=now\b|not\b|no\b|all\b|[\p{L}\d]+(?:\s+\p{L}+)?(?:\s+(?:now|not|these)\b|\s*$|\s*[,.]))/giu,
      "$1it's ",
    )
  return foreign.reduce((said, [pattern, english]) => said.replace(pattern, english), spelled)
}
