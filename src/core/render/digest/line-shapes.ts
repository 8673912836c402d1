import { addToList } from '../../words/lists.ts'
import { indentOf } from './clean-lines.ts'
import type { LineWords } from './line-words.ts'

/**
 * Groups lines by shape: the line without what varies from one line of its kind to the next, such as numbers, ids, times,
 * versions, addresses and names of files. Lines of one shape report the same kind of thing about different subjects.
 */
export function groupByShape(
  lines: readonly number[],
  { words, shape }: LineWords,
  textOf: (line: number) => string,
): ReadonlyMap<string, readonly number[]> {
  return groupLines(lines, (line) => {
    return `${Math.min(indentOf(textOf(line)), 8)} ${words(line).map(shape).join(' ')}`
  })
}

/** Lines grouped by a key, in the order of their first line. */
export function groupLines(
  lines: readonly number[],
  keyOf: (line: number) => string,
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (const line of lines) addToList(groups, keyOf(line), line)
  return groups
}

/** A word that this share of the lines has is part of their layout; any other word is a value. */
const layoutShare = 0.2

/**
 * Groups lines that share a layout though their words differ, such as the rows of a table. The key keeps words that many
 * of the lines have, and has `*` for every run of other words.
 */
export function groupByLayout(
  lines: readonly number[],
  { words, shape, text }: LineWords,
): ReadonlyMap<string, readonly number[]> {
  // Short numbers and pairs of them can be states (200, 0/3), so they count as words of the layout.
  const isState = (word: number): boolean => /^\d{1,3}(?:\/\d{1,3})?$/.test(text(word))
  const layouts: (number | undefined)[] = []
  const layoutOf = (word: number): number => (layouts[word] ??= isState(word) ? word : shape(word))
  /** How many lines have a word, and the last of them. */
  const counts: number[] = []
  const lastLine: number[] = []
  for (const line of lines) {
    for (const word of words(line)) {
      const layout = layoutOf(word)
      if (lastLine[layout] === line) continue
      lastLine[layout] = line
      counts[layout] = (counts[layout] ?? 0) + 1
    }
  }
  const least = Math.max(3, lines.length * layoutShare)
  return groupLines(lines, (line) => {
    let key = ''
    let isAfterValue = false
    for (const word of words(line)) {
      const layout = layoutOf(word)
      const isPart = (counts[layout] ?? 0) >= least && text(layout) !== '0'
      if (isPart) key += `${layout} `
      else if (!isAfterValue) key += '* '
      isAfterValue = !isPart
    }
    return key
  })
}
