import { allLines, type Line, lineList, withStamp } from '../text/line-list.ts'
import { joinTouching } from '../text/splice.ts'
import { type FileVersion, neverCertain, type Run } from '../text/version.ts'

/**
 * Doubts the lines that the agent wrote after the stamp `since` and up to the stamp `until`, because a formatter or a
 * reviewing user may have changed them. The other lines stay certain, but lose their line numbers after the first place
 * where lines may have been added or removed. Lines seen after `until` keep their line numbers.
 */
export function doubtWrittenLines(
  version: FileVersion,
  path: string,
  { since, until }: { readonly since: number; readonly until: number },
): FileVersion {
  const isWritten = (line: Line): boolean => line.written > since && line.stamp <= until
  if (!version.runs.some(({ lines }) => lines.chunks.some((chunk) => chunk.some(isWritten))))
    return version
  const all = version.runs.map((run) => allLines(run.lines))
  const lastSeen = all.findLastIndex((lines) => lines.some((line) => line.stamp > until))
  const runs: Run[] = []
  let moved = false
  let anyRisky = false
  version.runs.forEach((run, position) => {
    const lines = all[position] as readonly Line[]
    const written = lines.map(isWritten)
    const { risky: near, moving } = formatterReach(path, lines, written)
    const risky = near.map((isNear, index) => isNear && (lines[index] as Line).stamp <= until)
    anyRisky ||= risky.includes(true)
    const fixed = position < lastSeen ? lines.length : seenUntil(lines, until)
    let start = 0
    for (let index = 1; index <= lines.length; index++) {
      const continues = risky[index] === risky[index - 1] && moving[index] === moving[index - 1]
      if (index < lines.length && continues && index !== fixed) continue
      const part = lines.slice(start, index)
      const place = run.at ?? run.expected
      const expected = place === undefined ? undefined : place + start
      const at = moved || run.at === null ? null : run.at + start
      const kept = risky[start] === true ? part.map((line) => withStamp(line, neverCertain)) : part
      const list = lineList(kept)
      runs.push(at === null ? { at, lines: list, expected } : { at, lines: list })
      moved ||= moving[start] === true && start >= fixed
      start = index
    }
  })
  if (!anyRisky) return version
  return moved
    ? { ...version, runs, count: null, openEnding: false }
    : { ...version, runs: joinTouching(runs) }
}

/** How many lines of a run there are up to the last one that was seen after a stamp. */
function seenUntil(lines: readonly Line[], stamp: number): number {
  return lines.findLastIndex((line) => line.stamp > stamp) + 1
}

/** What a formatter may change in a file when it runs over newly written lines. */
interface FormatterReach {
  /** By line: true when its text may change. */
  readonly risky: readonly boolean[]
  /** By line: true when lines may be added or removed there, which moves what follows. */
  readonly moving: readonly boolean[]
}

/** A formatter that rewraps a written line may also change this many lines on each side. */
const radius = 2

/** The lines that a formatter of the file's language may change when the lines in `written` are new. */
function formatterReach(
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
