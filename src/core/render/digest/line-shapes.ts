/** The part of a line that its shape is made of, so that no pattern is slow on a bundle. */
const shapedChars = 400
const mostWords = 60

/** The words of a line: what white space and separators of tables and lists leave. */
export function wordsOf(line: string): readonly string[] {
  return (line.slice(0, shapedChars).match(/[^\s,;|│]+/g) ?? []).slice(0, mostWords)
}

/**
 * The line without what varies from one line of its kind to the next: numbers, ids, times, versions, quoted texts, addresses
 * and names of files. Lines of one shape say the same about something else.
 */
export function shapeOf(line: string): string {
  const indent = line.length - line.trimStart().length
  return `${Math.min(indent, 8)} ${wordsOf(line).map(shapeOfWord).join(' ')}`
}

const fileName = /^(.*\/)?[^/]*?(\.[A-Za-z]\w{0,9})?([:(]\d.*|[:,)])?$/

/** A word without numbers and ids. A path keeps its folder and its extension. */
export function shapeOfWord(word: string): string {
  if (/^[A-Za-z]+:?$/.test(word)) return word
  const host = /^(.*?:\/\/[^/?#]*)/.exec(word)?.[1]
  if (host !== undefined) return maskNumbers(host)
  if (word.includes('@')) return '@'
  if (word.includes('/') || /\.[A-Za-z]\w{0,9}(?:[:(]\d.*|[:,)])?$/.test(word)) {
    const [, folder = '', extension = ''] = fileName.exec(word) ?? []
    if (extension !== '') return `${maskNumbers(folder)}*${maskNumbers(extension)}`
  }
  return maskNumbers(word)
}

/** Every part with a digit becomes `0`: 12, 3.5ms, 7d9f8b6c5, x2x9z. */
function maskNumbers(word: string): string {
  return word.replaceAll(/[A-Za-z]*\d[\w.:%]*/g, '0')
}

/** Lines grouped by a key, in the order of their first line. */
export function groupLines(
  lines: readonly number[],
  keyOf: (line: number) => string,
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (const line of lines) {
    const key = keyOf(line)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [line])
    else group.push(line)
  }
  return groups
}

/** A word that this share of the lines has is part of their layout; any other word is a value. */
const layoutShare = 0.2

/**
 * Groups lines that share a layout though their words differ, such as the rows of a table: words that many of the lines have
 * stay, every run of other words becomes `*`.
 */
export function groupByLayout(
  lines: readonly number[],
  textOf: (line: number) => string,
): ReadonlyMap<string, readonly number[]> {
  const counts = new Map<string, number>()
  const shapes = new Map<number, readonly string[]>()
  for (const line of lines) {
    const words = wordsOf(textOf(line)).map(layoutWord)
    shapes.set(line, words)
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const least = Math.max(3, lines.length * layoutShare)
  return groupLines(lines, (line) => {
    const parts: string[] = []
    for (const word of shapes.get(line) ?? []) {
      const part = word !== '0' && (counts.get(word) ?? 0) >= least ? word : '*'
      if (part !== '*' || parts.at(-1) !== '*') parts.push(part)
    }
    return parts.join(' ')
  })
}

/** Short numbers and pairs of them can be states (200, 0/3), so they count as words of the layout. */
function layoutWord(word: string): string {
  return /^\d{1,3}(?:\/\d{1,3})?$/.test(word) ? word : shapeOfWord(word)
}
