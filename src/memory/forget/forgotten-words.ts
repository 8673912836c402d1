import { comparable } from '../comparable.ts'
import { knownValue } from '../lexicon/lookup.ts'

/** Shorter texts also occur in unrelated places: `tabs`, `use npm`. */
const shortestSpecific = 12

/** Whether a text is specific enough to be removed wherever it occurs: long, or with a digit (`hunter2`). */
export function isSpecific(text: string): boolean {
  return text.trim().length >= shortestSpecific || /\p{N}/u.test(text)
}

/** Whether a short text contains a capitalised name that is not a known tool: `Marmaduke`, `ask Priya`. */
export function isName(text: string): boolean {
  const words = text.trim().split(/\s+/)
  return words.some(
    (word, at) =>
      /^\p{Lu}\p{L}{2,}$/u.test(word) &&
      (at > 0 || words.length === 1) &&
      knownValue(word) === undefined,
  )
}

/** Start and end in a text. */
export type Span = readonly [from: number, to: number]

/** Finds forgotten words in a text. */
export type FindWords = (text: string) => readonly Span[]

/**
 * Finds words, ignoring case and spacing. Short words without a digit match only as whole words: `vim` is found in
 * `my_vim_config` but not in `environment`. A word with a capital letter must match exactly.
 */
export function findWords(words: readonly string[]): FindWords {
  const patterns = [...new Set(words.map((word) => word.trim()))].flatMap((word) =>
    word === '' ? [] : [patternOf(word)],
  )
  return (text) => {
    const plain = text.toLowerCase()
    return patterns.flatMap(({ part, pattern }) =>
      plain.includes(part)
        ? [...text.matchAll(pattern)].map(
            ({ 0: said, index }): Span => [index, index + said.length],
          )
        : [],
    )
  }
}

/** The pattern, and its longest part as a quick check: a text without it cannot match. */
function patternOf(word: string): { readonly part: string; readonly pattern: RegExp } {
  const parts = word.split(/\s+/)
  const escaped = parts.map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const [before, after] = isSpecific(word) ? ['', ''] : [edge(word, 'start'), edge(word, 'end')]
  return {
    part: parts
      .reduce((longest, each) => (each.length > longest.length ? each : longest))
      .toLowerCase(),
    pattern: new RegExp(
      `${before}${escaped.join('\\s+')}${after}`,
      word === word.toLowerCase() ? 'giu' : 'gu',
    ),
  }
}

/** Whole words are matched only in scripts that separate words by spaces. */
const spaced = /[\p{L}\p{N}]/u
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u

function edge(word: string, side: 'start' | 'end'): string {
  const [letter = ''] = side === 'start' ? [...word] : [...word].toReversed()
  if (!spaced.test(letter) || unspaced.test(letter)) return ''
  return side === 'start' ? '(?<![\\p{L}\\p{N}])' : '(?![\\p{L}\\p{N}])'
}

/** Whether a text contains the words of a finder. */
export function contains(find: FindWords): (text: string) => boolean {
  return (text) => find(text).length > 0
}

/** The spans of the lines that match. */
export function findLines(text: string, isMeant: (line: string) => boolean): readonly Span[] {
  let end = -1
  return text.split('\n').flatMap((line): readonly Span[] => {
    const start = end + 1
    end = start + line.length
    return line !== '' && isMeant(line) ? [[start, end]] : []
  })
}

/** List, quote and emphasis marks around a line. */
const before = /^[\s>*_`"'“”‘’#•–—-]+/u
const behind = /[\s*_`"'“”‘’.,;:!?–—-]/u

/** A line without its formatting: the same for `- Use npm.` and `use npm`. */
export function bareLine(line: string): string {
  const said = line.replace(before, '')
  let end = said.length
  while (end > 0 && behind.test(said.charAt(end - 1))) end--
  return comparable(said.slice(0, end))
}
