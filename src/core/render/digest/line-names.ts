import { addNames, shortestName } from '../../files/text/identifiers.ts'

/** The names in a text, line by line. Numbers stand for them, so that they are counted without a look at each again. */
export interface LineNames {
  /** Every name once, as they came. */
  readonly names: readonly string[]
  readonly numbers: ReadonlyMap<string, number>
  /** The number of a name for each time that it stands there. */
  readonly said: Uint32Array
  /** By line, where its own begin in `said`; they end where those of the next one begin. */
  readonly starts: Uint32Array
}

/** Reads all lines in one pass: a line by itself is a part of a longer text, which takes longer to look at. */
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

function numbered(found: readonly string[]): Pick<LineNames, 'names' | 'numbers' | 'said'> {
  const names: string[] = []
  const numbers = new Map<string, number>()
  const said = new Uint32Array(found.length)
  for (let at = 0; at < found.length; at++) {
    const name = found[at] as string
    let number = numbers.get(name)
    if (number === undefined) {
      number = names.push(name) - 1
      numbers.set(name, number)
    }
    said[at] = number
  }
  return { names, numbers, said }
}

/** The names of one line, in order. */
export function namesOfLine({ names, said, starts }: LineNames, line: number): readonly string[] {
  const end = starts[line + 1] as number
  const own: string[] = []
  for (let at = starts[line] as number; at < end; at++)
    own.push(names[said[at] as number] as string)
  return own
}
