import { shapeOfWord, wordsOf } from './line-shapes.ts'

/** A value is usual when this share of the rows has it. */
const usualShare = 0.05
/** A column with more usual values does not tell rows apart. */
const mostUsual = 8
/** Of a column with usual values, at most this share of the rows are told as exceptions. */
const mostExceptions = 0.12
/** Fewer rows say nothing about what is usual. */
const leastRows = 8
const leastNumbers = 20
/** A number stands out when it is this much larger or smaller than nearly all others, and far outside their spread. */
const outlierFactor = 1.5
const outlierSpread = 2
/** Where more rows are far away, that is not unusual. */
const mostOutliers = 0.03

/** The columns of the lines of one output. Each line is split once, because it belongs to several groups. */
export interface LineColumns {
  words(line: number): readonly string[]
  wordShapes(line: number): readonly string[]
  /** The cells of a table's row: what bars, tabs and wide gaps separate. */
  cells(line: number): readonly string[]
  cellShapes(line: number): readonly string[]
}

export function createColumns(textOf: (line: number) => string): LineColumns {
  const shapes = new Map<string, string>()
  const shape = (word: string): string => {
    const known = shapes.get(word)
    if (known !== undefined) return known
    const made = shapeOfWord(word)
    shapes.set(word, made)
    return made
  }
  const words = remembered((line) => wordsOf(textOf(line)))
  const cells = remembered((line) => cellsOf(textOf(line)))
  return {
    words,
    wordShapes: remembered((line) => words(line).map(shape)),
    cells,
    cellShapes: remembered((line) => cells(line).map(shape)),
  }
}

function remembered(
  read: (line: number) => readonly string[],
): (line: number) => readonly string[] {
  const known = new Map<number, readonly string[]>()
  return (line) => {
    const before = known.get(line)
    if (before !== undefined) return before
    const found = read(line)
    known.set(line, found)
    return found
  }
}

function cellsOf(line: string): readonly string[] {
  const cells = line.slice(0, 400).split(/[|│\t]| {2,}/)
  return cells.flatMap((cell) => (cell.trim() === '' ? [] : [cell.trim()]))
}

/** Rows that differ from the others where these agree, or whose number is far from the others. */
export function exceptionsAmong(rows: readonly number[], columns: LineColumns): readonly number[] {
  if (rows.length < leastRows) return []
  const found = new Set<number>()
  const look = (cells: readonly (readonly string[])[], shapes: readonly (readonly string[])[]) => {
    const width = usualWidth(cells)
    for (const at of oddWidths(cells, width)) found.add(rows[at] as number)
    for (let column = 0; column < width; column++) {
      for (const at of oddValues(cells, column, width)) found.add(rows[at] as number)
      for (const at of oddValues(shapes, column, width)) found.add(rows[at] as number)
      for (const at of outliers(cells, column, width)) found.add(rows[at] as number)
    }
  }
  look(rows.map(columns.words), rows.map(columns.wordShapes))
  const cells = rows.map(columns.cells)
  // A line that is one cell has no columns.
  if (usualWidth(cells) > 1) look(cells, rows.map(columns.cellShapes))
  return [...found].sort((a, b) => a - b)
}

/** The number of cells that most rows have. Columns are counted only in rows with as many. */
function usualWidth(words: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>()
  for (const { length } of words) counts.set(length, (counts.get(length) ?? 0) + 1)
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0]
}

/** Rows with more or fewer cells than nearly all others. */
function oddWidths(words: readonly (readonly string[])[], width: number): readonly number[] {
  const odd = words.flatMap(({ length }, at) => (length === width ? [] : [at]))
  return odd.length <= Math.max(3, words.length * mostExceptions) ? odd : []
}

function oddValues(
  words: readonly (readonly string[])[],
  column: number,
  width: number,
): readonly number[] {
  const counts = new Map<string, number>()
  const mostValues = mostUsual + Math.max(3, words.length * mostExceptions)
  let rows = 0
  for (const row of words) {
    if (row.length !== width) continue
    rows++
    const value = row[column] as string
    counts.set(value, (counts.get(value) ?? 0) + 1)
    // With more values than that, most rows would be exceptions.
    if (counts.size > mostValues) return []
  }
  if (rows < leastRows) return []
  const usual = [...counts].filter(([, count]) => count >= Math.max(2, rows * usualShare))
  if (usual.length === 0 || usual.length > mostUsual) return []
  const values = new Set(usual.map(([value]) => value))
  const odd: number[] = []
  words.forEach((row, at) => {
    if (row.length === width && !values.has(row[column] as string)) odd.push(at)
  })
  return odd.length <= Math.max(3, rows * mostExceptions) ? odd : []
}

function outliers(
  words: readonly (readonly string[])[],
  column: number,
  width: number,
): readonly number[] {
  const values: { at: number; value: number }[] = []
  for (const [at, row] of words.entries()) {
    const value = row.length === width ? numberOf(row[column] as string) : null
    if (value !== null) values.push({ at, value })
    else if (at - values.length > words.length / 2) return []
  }
  if (values.length < leastNumbers || values.length < words.length / 2) return []
  const sorted = values.toSorted((a, b) => a.value - b.value)
  const high = sorted[Math.floor(sorted.length * 0.95)]?.value ?? 0
  const low = sorted[Math.ceil(sorted.length * 0.05)]?.value ?? 0
  const middle = sorted[Math.floor(sorted.length / 2)]?.value ?? 0
  const most = Math.max(high * outlierFactor, high + outlierSpread * (high - middle))
  const least = Math.min(low / outlierFactor, low - outlierSpread * (middle - low))
  const large = sorted.filter(({ value }) => high > 0 && value > most)
  const small = sorted.filter(({ value }) => value < least)
  return [large, small]
    .filter(({ length }) => length <= Math.max(3, values.length * mostOutliers))
    .flatMap((far) => far.map(({ at }) => at))
}

const scales: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 }

/** The number in a word such as `12`, `3.5ms`, `1,204`, `latency=88ms`, `1.2G` or `[26m10s`; null for all other words. */
function numberOf(word: string): number | null {
  if (!/\d/.test(word)) return null
  const bare = word.replace(/^[[({"']+|[\])}"']+$/g, '').replace(/^[\w.-]+[=:]/, '')
  if (/^\d{4}-\d\d-\d\d$/.test(bare)) return Date.parse(bare)
  const duration = /^(?:(\d+)h)?(?:(\d+)m)?(\d+(?:\.\d+)?)s$/.exec(bare)
  if (duration !== null) {
    const [, hours = 0, minutes = 0, seconds = 0] = duration
    return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e3
  }
  const match = /^[$€£]?(\d[\d,]*(?:\.\d+)?)([kKmMgGtT])?(?:ms|[iI]?[bB]|%)?$/.exec(bare)
  if (match === null) return null
  const [, digits = '', scale = ''] = match
  return Number(digits.replaceAll(',', '')) * (scales[scale.toLowerCase()] ?? 1)
}
