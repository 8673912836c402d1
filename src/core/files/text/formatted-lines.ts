import type { Line } from './line-list.ts'

/** What a formatter may change in a file when it runs over newly written lines. */
export interface FormatterReach {
  /** By line: true when its text may change. */
  readonly risky: readonly boolean[]
  /** By line: true when lines may be added or removed there, which moves what follows. */
  readonly moving: readonly boolean[]
}

/** A formatter that rewraps a written line may also change this many lines on each side. */
const radius = 2

/** The lines that a formatter of the file's language may change when the lines in `written` are new. */
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
 * `gofmt` does not wrap lines. It aligns columns, sorts imports and merges empty lines; tab-indented lines without
 * columns stay unchanged.
 */
function goReach(lines: readonly Line[], written: readonly boolean[]): FormatterReach {
  const risky = new Array<boolean>(lines.length).fill(false)
  const moving = new Array<boolean>(lines.length).fill(false)
  const textAt = (index: number): string => lines[index]?.text ?? ''
  written.forEach((isWritten, index) => {
    if (!isWritten) return
    const text = textAt(index)
    if (text.trim() === '') {
      // `gofmt` merges consecutive empty lines.
      const isRepeated = textAt(index - 1).trim() === '' && index > 0
      moving[index] = isRepeated
      risky[index] = isRepeated || text !== ''
      return
    }
    if (!isAligned(text)) return
    // A block of aligned columns extends over all adjacent aligned lines.
    for (let at = index; at >= 0 && isAligned(textAt(at)); at--) risky[at] = true
    for (let at = index; at < lines.length && isAligned(textAt(at)); at++) risky[at] = true
  })
  return { risky, moving }
}

const statement =
  /^(?:return|func|if|for|go|defer|case|var|type|import|package|switch|select|else|const|break|continue|goto|fallthrough|default|range|map|chan)\b/

/** True for a line of Go that may belong to aligned columns, or is not indented with tabs. */
function isAligned(line: string): boolean {
  const text = line.trimStart()
  if (text === '' || text.startsWith('//'))
    return line.slice(0, -text.length || undefined).includes(' ')
  if (/^\t* /.test(line) || /\s$/.test(line)) return true
  if (/\S\s+\/[/*]/.test(text) || /\S {2,}\S/.test(text)) return true
  if (/^(?:[\w.]+ )?"[^"]*"$/.test(text)) return true
  if (statement.test(text)) return false
  // Fields, constants, and keys with values.
  return /^\w+(?:, \w+)* +[\w*[\]."`(){}]+(?: |$)/.test(text) || /^[\w."\]]+: *\S/.test(text)
}
