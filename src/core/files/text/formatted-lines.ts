import type { Line } from './line-list.ts'

/** What a formatter that goes over lines just written may do to a file. */
export interface FormatterReach {
  /** By line: whether its text may change. */
  readonly risky: readonly boolean[]
  /** By line: whether lines may come or go there, so that what follows moves. */
  readonly moving: readonly boolean[]
}

/** A formatter that rewraps what was written may take the lines next to it along. */
const radius = 2

/** How far a formatter of the file's language reaches when the lines in `written` are new to it. */
export function formatterReach(
  path: string,
  lines: readonly Line[],
  written: readonly boolean[],
): FormatterReach {
  if (path.endsWith('.go')) return goReach(lines, written)
  const risky = new Array<boolean>(lines.length).fill(false)
  written.forEach((isWritten, index) => {
    if (!isWritten) return
    risky.fill(true, Math.max(0, index - radius), Math.min(lines.length, index + radius + 1))
  })
  return { risky, moving: risky }
}

/**
 * `gofmt`, which all Go is formatted with, wraps nothing: it aligns columns, sorts imports, and leaves one of several
 * empty lines. Lines without columns that are indented with tabs stay what they are, where they are.
 */
function goReach(lines: readonly Line[], written: readonly boolean[]): FormatterReach {
  const risky = new Array<boolean>(lines.length).fill(false)
  const moving = new Array<boolean>(lines.length).fill(false)
  const textAt = (index: number): string => lines[index]?.text ?? ''
  written.forEach((isWritten, index) => {
    if (!isWritten) return
    const text = textAt(index)
    if (text.trim() === '') {
      // Of several empty lines one is left. The last line of a file has nothing behind it.
      const isRepeated = textAt(index - 1).trim() === '' && index > 0
      moving[index] = isRepeated
      risky[index] = isRepeated || text !== ''
      return
    }
    if (!isAligned(text)) return
    // Columns go on for as long as lines follow each other.
    for (let at = index; at >= 0 && isAligned(textAt(at)); at--) risky[at] = true
    for (let at = index; at < lines.length && isAligned(textAt(at)); at++) risky[at] = true
  })
  return { risky, moving }
}

const statement =
  /^(?:return|func|if|for|go|defer|case|var|type|import|package|switch|select|else|const|break|continue|goto|fallthrough|default|range|map|chan)\b/

/** True for a line of Go that is one of several in columns, or not indented as it should be. */
function isAligned(line: string): boolean {
  const text = line.trimStart()
  if (text === '' || text.startsWith('//'))
    return line.slice(0, -text.length || undefined).includes(' ')
  if (/^\t* /.test(line) || /\s$/.test(line)) return true
  if (/\S\s+\/[/*]/.test(text) || /\S {2,}\S/.test(text)) return true
  if (/^(?:[\w.]+ )?"[^"]*"$/.test(text)) return true
  if (statement.test(text)) return false
  // Fields and constants, and keys with their values.
  return /^\w+(?:, \w+)* +[\w*[\]."`(){}]+(?: |$)/.test(text) || /^[\w."\]]+: *\S/.test(text)
}
