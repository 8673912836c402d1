import { addNames, shortestName } from '../../files/text/identifiers.ts'

/** The names in a text by line, as numbers, so that they can be counted without comparing strings. */
export interface LineNames {
  /** Every name once, in order. */
  readonly names: readonly string[]
  readonly numbers: ReadonlyMap<string, number>
  /** The number of the name for each occurrence. */
  readonly occurrences: Uint32Array
  /** By line, the start of its names in `occurrences`; they end at the start of the next line's. */
  readonly starts: Uint32Array
}

/** Reads the names of all lines in one pass. */
export function readLineNames(text: string, lineCount: number): LineNames {
  const found: string[] = []
  const starts = new Uint32Array(lineCount + 1)
  let scheme = text.indexOf('://')
  let start = 0
  for (let line = 0; line < lineCount; line++) {
    const end = line + 1 < lineCount ? text.indexOf('\n', start) : text.length
    starts[line] = found.length
    if (end - start >= shortestName) scheme = addNames(text, start, end, scheme, found)
    start = end + 1
  }
  starts[lineCount] = found.length
  return { starts, ...numbered(found) }
}

function numbered(found: readonly string[]): Pick<LineNames, 'names' | 'numbers' | 'occurrences'> {
  const names: string[] = []
  const numbers = new Map<string, number>()
  const occurrences = new Uint32Array(found.length)
  for (let at = 0; at < found.length; at++) {
    const name = found[at] as string
    let number = numbers.get(name)
    if (number === undefined) {
      number = names.push(name) - 1
      numbers.set(name, number)
    }
    occurrences[at] = number
  }
  return { names, numbers, occurrences }
}

/** The names of one line, in order. */
export function namesOfLine(
  { names, occurrences, starts }: LineNames,
  line: number,
): readonly string[] {
  const end = starts[line + 1] as number
  const own: string[] = []
  for (let at = starts[line] as number; at < end; at++)
    own.push(names[occurrences[at] as number] as string)
  return own
}
