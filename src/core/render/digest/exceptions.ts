import { groupLines } from './line-shapes.ts'
import type { LineWords } from './line-words.ts'
import { kindOfWord, numberIn } from './line-words.ts'

/** A value is usual when this share of the rows has it. */
const usualShare = 0.05
/** A column with more usual values does not tell rows apart. */
const mostUsual = 8
/** Of a column with usual values, at most this share of the rows are exceptions. */
const mostExceptions = 0.12
/** Fewer rows do not show what is usual. */
const leastRows = 8
const leastNumbers = 20
/** A number stands out when it is this much larger or smaller than nearly all others, and far outside their spread. */
const outlierFactor = 1.5
const outlierSpread = 2
/** Where more numbers are far away, none of them is an outlier. */
const mostOutliers = 0.03

/** Finds rows that differ from the others where the others agree, or whose number is far from the others. */
export function createExceptionFinder(
  lineWords: LineWords,
): (rows: readonly number[]) => readonly number[] {
  const { words, cells, shape, text } = lineWords
  const numbers: (number | null | undefined)[] = []
  const numberOf = (word: number): number | null => {
    const known = numbers[word]
    if (known !== undefined) return known
    const read = numberIn(text(word))
    numbers[word] = read
    return read
  }
  const look = (
    rows: readonly number[],
    cellsOf: (row: number) => readonly number[],
    found: Set<number>,
  ): void => {
    const width = usualWidth(rows, cellsOf)
    const full = rows.filter((row) => cellsOf(row).length === width)
    for (const row of oddWidths(rows, full, cellsOf)) found.add(row)
    for (let column = 0; column < width; column++) {
      const values = full.map((row) => cellsOf(row)[column] as number)
      // A column in which all rows agree has no exceptions.
      if (values.every((value) => value === values[0])) continue
      const odd = [
        ...oddValues(values, rows.length),
        ...oddValues(values.map(shape), rows.length),
        ...outliers(values.map(numberOf), rows.length),
      ]
      for (const at of odd) found.add(full[at] as number)
    }
  }
  return (rows) => {
    if (rows.length < leastRows) return []
    const found = new Set<number>()
    look(rows, words, found)
    // A line that is one cell has no columns.
    if (usualWidth(rows, cells) > 1) look(rows, cells, found)
    return [...found].sort((a, b) => a - b)
  }
}

/** How many words after the first are compared. Later words differ even in lines that begin alike. */
const leadingWords = 3

/**
 * Rows that begin like many others, such as with a time or a place in a file, and continue with a word that few of these
 * have: another level, another rule, another state.
 */
export function oddBeginnings(
  rows: readonly number[],
  { words, text }: LineWords,
): readonly (readonly number[])[] {
  const found: (readonly number[])[] = []
  const kindOf = (row: number): string => kindOfWord(text(words(row)[0] as number))
  const several = rows.filter((row) => words(row).length > 1)
  for (const group of groupLines(several, kindOf).values()) {
    for (let column = 1; column <= leadingWords; column++) {
      const having = group.filter((row) => words(row).length > column)
      if (having.length < leastRows) break
      const values = having.map((row) => words(row)[column] as number)
      const odd = oddValues(values, having.length).map((at) => having[at] as number)
      if (odd.length > 0) found.push(odd)
    }
  }
  return found
}

/** The number of cells that most rows have. Columns are counted only in rows with as many. */
function usualWidth(rows: readonly number[], cellsOf: (row: number) => readonly number[]): number {
  const counts = new Map<number, number>()
  for (const row of rows) {
    const { length } = cellsOf(row)
    counts.set(length, (counts.get(length) ?? 0) + 1)
  }
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0]
}

/** Rows with more or fewer cells than nearly all others. */
function oddWidths(
  rows: readonly number[],
  full: readonly number[],
  cellsOf: (row: number) => readonly number[],
): readonly number[] {
  if (rows.length - full.length > Math.max(3, rows.length * mostExceptions)) return []
  const width = full.length === 0 ? 0 : cellsOf(full[0] as number).length
  return rows.filter((row) => cellsOf(row).length !== width)
}

/** The places of values that few rows have, in a column with a few usual values. */
function oddValues(values: readonly number[], rows: number): readonly number[] {
  if (values.length < leastRows) return []
  const counts = new Map<number, number>()
  const mostValues = mostUsual + Math.max(3, rows * mostExceptions)
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1)
    // With more values than that, most rows would be exceptions.
    if (counts.size > mostValues) return []
  }
  const leastUsual = Math.max(2, values.length * usualShare)
  let usual = 0
  let odd = 0
  for (const count of counts.values()) {
    if (count >= leastUsual) usual++
    else odd += count
  }
  if (usual === 0 || usual > mostUsual) return []
  if (odd === 0 || odd > Math.max(3, values.length * mostExceptions)) return []
  return values.flatMap((value, at) => ((counts.get(value) ?? 0) < leastUsual ? [at] : []))
}

/** The places of numbers that are far from nearly all others. */
function outliers(values: readonly (number | null)[], rows: number): readonly number[] {
  const sorted = Float64Array.from(values.filter((value) => value !== null)).sort()
  const { length } = sorted
  if (length < leastNumbers || length < rows / 2) return []
  const high = sorted[Math.floor(length * 0.95)] ?? 0
  const low = sorted[Math.ceil(length * 0.05)] ?? 0
  const middle = sorted[Math.floor(length / 2)] ?? 0
  const most = Math.max(high * outlierFactor, high + outlierSpread * (high - middle))
  const least = Math.min(low / outlierFactor, low - outlierSpread * (middle - low))
  const large: number[] = []
  const small: number[] = []
  values.forEach((value, at) => {
    if (value === null) return
    if (high > 0 && value > most) large.push(at)
    if (value < least) small.push(at)
  })
  const limit = Math.max(3, length * mostOutliers)
  return [large, small].filter((far) => far.length <= limit).flat()
}
