import { comparable } from '../item.ts'
import { knownValue } from '../lexicon/lookup.ts'

/** Shorter texts stand in much that has nothing to do with them: `tabs`, `use npm`. */
const leastTelling = 12

/** Whether a text names nothing but what it was said for, wherever it stands: long, or with a digit (`hunter2`). */
export function isTelling(text: string): boolean {
  return text.trim().length >= leastTelling || /\p{N}/u.test(text)
}

/** Whether a short text is a name, by its capitals and by no list of tools having it: `Marmaduke`, `ask Priya`. */
export function isName(text: string): boolean {
  const words = text.trim().split(/\s+/)
  return words.some(
    (word, at) =>
      /^\p{Lu}\p{L}{2,}$/u.test(word) &&
      (at > 0 || words.length === 1) &&
      knownValue(word) === undefined,
  )
}

/** Beginning and end of a place in a text. */
export type Span = readonly [from: number, to: number]

/** Where forgotten words stand in a text. */
export type FindWords = (text: string) => readonly Span[]

/**
 * Finds words whatever their case and the space between them. Short ones without a digit only as whole words: `vim`
 * stands in `my_vim_config`, and not in `environment`. A word with a capital is found only as it is written.
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

/** With its longest part: where that is not, the slower pattern need not look. */
function patternOf(word: string): { readonly part: string; readonly pattern: RegExp } {
  const parts = word.split(/\s+/)
  const escaped = parts.map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const [before, after] = isTelling(word) ? ['', ''] : [edge(word, 'start'), edge(word, 'end')]
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

/** Scripts that put no space between words have no whole words to look for. */
const spaced = /[\p{L}\p{N}]/u
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u

function edge(word: string, side: 'start' | 'end'): string {
  const [letter = ''] = side === 'start' ? [...word] : [...word].toReversed()
  if (!spaced.test(letter) || unspaced.test(letter)) return ''
  return side === 'start' ? '(?<![\\p{L}\\p{N}])' : '(?![\\p{L}\\p{N}])'
}

export function says(find: FindWords): (text: string) => boolean {
  return (text) => find(text).length > 0
}

/** The lines of a text that are meant, as places. */
export function findLines(text: string, isMeant: (line: string) => boolean): readonly Span[] {
  let end = -1
  return text.split('\n').flatMap((line): readonly Span[] => {
    const start = end + 1
    end = start + line.length
    return line !== '' && isMeant(line) ? [[start, end]] : []
  })
}

/** Marks of lists, quotes and emphasis around what a line says. */
const before = /^[\s>*_`"'“”‘’#•–—-]+/u
const behind = /[\s*_`"'“”‘’.,;:!?–—-]/u

/** What a line says, apart from how it is set: the same for `- Use npm.` and `use npm`. */
export function bareLine(line: string): string {
  const said = line.replace(before, '')
  let end = said.length
  while (end > 0 && behind.test(said.charAt(end - 1))) end--
  return comparable(said.slice(0, end))
}
