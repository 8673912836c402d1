/** The part of a line that is read, so that no pattern is slow on a bundle. */
const readChars = 400
const mostWords = 60

/**
 * The words and cells of an output's lines. Each line is split once, and equal words have the same number, so that large
 * outputs are compared by numbers.
 */
export interface LineWords {
  /** What remains between white space and the separators of tables and lists. */
  words(line: number): readonly number[]
  /** The cells of a table row: the parts between bars, tabs and wide gaps. */
  cells(line: number): readonly number[]
  text(word: number): string
  /** The shape of a word, as the number of a word. */
  shape(word: number): number
}

export function createLineWords(textOf: (line: number) => string): LineWords {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  const shapes: (number | undefined)[] = []
  const numberOf = (text: string): number => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, texts.length)
    return texts.push(text) - 1
  }
  const text = (word: number): string => texts[word] as string
  return {
    words: cachedByLine((line) => wordsOf(textOf(line)).map(numberOf)),
    cells: cachedByLine((line) => cellsOf(textOf(line)).map(numberOf)),
    text,
    shape: (word) => (shapes[word] ??= numberOf(shapeOfWord(text(word)))),
  }
}

/** The function with its results cached by line. */
export function cachedByLine<Value>(read: (line: number) => Value): (line: number) => Value {
  const known: (Value | undefined)[] = []
  return (line) => (known[line] ??= read(line))
}

function wordsOf(line: string): readonly string[] {
  const words = line.slice(0, readChars).match(/[^\s,;|│]+/g) ?? []
  return words.length > mostWords ? words.slice(0, mostWords) : words
}

function cellsOf(line: string): readonly string[] {
  const cells: string[] = []
  for (const cell of line.slice(0, readChars).split(/[|│\t]| {2,}/)) {
    const text = cell.trim()
    if (text !== '') cells.push(text)
  }
  return cells
}

const fileName = /^(.*\/)?[^/]*?(\.[A-Za-z]\w{0,9})?([:(]\d.*|[:,)])?$/
const fileEnd = /\.[A-Za-z]\w{0,9}(?:[:(]\d.*|[:,)])?$/

/** A word without numbers and ids. A path keeps its folder and its extension. */
function shapeOfWord(word: string): string {
  if (/^[A-Za-z]+:?$/.test(word)) return word
  const host = /^(.*?:\/\/[^/?#]*)/.exec(word)?.[1]
  if (host !== undefined) return maskNumbers(host)
  if (word.includes('@')) return '@'
  if (word.includes('/') || fileEnd.test(word)) {
    const [, folder = '', extension = ''] = fileName.exec(word) ?? []
    if (extension !== '') return `${maskNumbers(folder)}*${maskNumbers(extension)}`
  }
  return maskNumbers(word)
}

/** Every part with a digit becomes `0`: 12, 3.5ms, 7d9f8b6c5, x2x9z. */
function maskNumbers(word: string): string {
  return /\d/.test(word) ? word.replaceAll(/[A-Za-z]*\d[\w.:%]*/g, '0') : word
}

/** The kind of a word without what it names: a file type, a number, or the word itself. */
export function kindOfWord(word: string): string {
  const shape = shapeOfWord(word)
  return shape.includes('/') ? shape.slice(shape.lastIndexOf('/') + 1) : shape
}

const scales: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 }

/** The number in a word such as `12`, `3.5ms`, `1,204`, `latency=88ms`, `1.2G` or `[26m10s`; null for all other words. */
export function numberIn(word: string): number | null {
  if (!/\d/.test(word)) return null
  if (/^\d+$/.test(word)) return Number(word)
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
