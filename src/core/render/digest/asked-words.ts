/** A word that more lines have does not show which of them are asked for. */
const mostLines = 40
const mostShare = 0.1
const mostAskedWords = 60
/** The part of a line that is searched. */
const askedChars = 2000

/** Words that are common in requests, commands and any output. */
const common = new Set(
  `about after again also been before being both cannot could does each every file files find first from have here into just
  like line lines list look make more most much need only other over please print read results right run same show should
  some something sure take tell test tests than that their them then there these they this those through under until update
  used uses using want were what when where which while will with work would your bash echo grep head tail sed awk xargs
  true false null none http https json name names output error errors status log logs get set main src node npm git`.split(
    /\s+/,
  ),
)

/**
 * The words that show what a request and a command are about: identifiers, paths and uncommon words, in lower case.
 */
export function askedWords(...texts: readonly (string | null)[]): readonly string[] {
  const words = new Set<string>()
  for (const text of texts) {
    // Long requests quote files and logs; the question is at the beginning or the end.
    const ends =
      text === null || text.length <= 4000
        ? (text ?? '')
        : `${text.slice(0, 2000)} ${text.slice(-2000)}`
    for (const [word] of ends.toLowerCase().matchAll(/[\p{L}\p{N}_@][\p{L}\p{N}_./@:-]{2,80}/gu)) {
      const bare = word.replace(/[./:-]+$/, '')
      const isName = /[\d_./@-]/.test(bare) && bare.length >= 3
      if ((isName || bare.length >= 4) && !common.has(bare) && !/^\d{1,3}$/.test(bare))
        words.add(bare)
      if (bare.includes('/')) words.add(bare.slice(bare.lastIndexOf('/') + 1))
    }
  }
  words.delete('')
  return [...words].slice(0, mostAskedWords)
}

/** The lines that have one of the words, for words that few lines have. */
export function linesAskedFor(
  lines: readonly string[],
  words: readonly string[],
): ReadonlySet<number> {
  const found = new Set<number>()
  if (words.length === 0) return found
  const most = Math.min(Math.max(mostLines, lines.length * mostShare), lines.length / 2)
  const text = lines.map((line) => line.slice(0, askedChars).toLowerCase()).join('\n')
  const starts = startsOf(text)
  for (const word of words) {
    const having = linesWith(word, text, starts, most)
    for (const at of having ?? []) found.add(at)
  }
  return found
}

/** The lines with a word, or null when there are more than that. */
function linesWith(
  word: string,
  text: string,
  starts: readonly number[],
  most: number,
): readonly number[] | null {
  const having: number[] = []
  let line = 0
  for (let at = text.indexOf(word); at !== -1; ) {
    while (line + 1 < starts.length && (starts[line + 1] as number) <= at) line++
    having.push(line)
    if (having.length > most) return null
    const next = starts[line + 1]
    at = next === undefined ? -1 : text.indexOf(word, next)
  }
  return having
}

/** Where each line begins. */
function startsOf(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
