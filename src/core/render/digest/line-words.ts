import { shapeOfWord } from './word-shapes.ts'

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
