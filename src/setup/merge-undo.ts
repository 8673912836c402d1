import { diffArrays } from 'diff'
import { lineEnding } from './marked-block.ts'

/** Lines `from` to `to` of a text become `lines`. */
interface Hunk {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

/**
 * Takes our change back out of a file that the user has edited since: what led from `original` to `written` is undone in
 * `current`. null when the user edited the very lines that we wrote.
 */
export function undoneText(original: string, written: string, current: string): string | null {
  if (current === written) return original
  const base = linesOf(written)
  const ours = hunks(base, linesOf(original))
  const theirs = hunks(base, linesOf(current))
  if (ours.some((one) => theirs.some((other) => overlap(one, other)))) return null
  const merged = [...ours, ...theirs].toSorted(
    (one, other) => one.from - other.from || one.to - other.to,
  )
  const result: string[] = []
  let at = 0
  for (const { from, to, lines } of merged) {
    result.push(...base.slice(at, from), ...lines)
    at = to
  }
  return [...result, ...base.slice(at)].reduce((text, line) => {
    // The original's last line had no newline, and the user has written behind ours.
    const isGlued = text !== '' && !text.endsWith('\n')
    return `${text}${isGlued ? lineEnding(written) : ''}${line}`
  }, '')
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

function hunks(base: readonly string[], other: readonly string[]): readonly Hunk[] {
  const found: Hunk[] = []
  let at = 0
  let open: { from: number; to: number; lines: string[] } | null = null
  for (const part of diffArrays([...base], [...other])) {
    if (!part.added && !part.removed) {
      if (open !== null) found.push(open)
      open = null
      at += part.value.length
      continue
    }
    open ??= { from: at, to: at, lines: [] }
    if (part.added) open.lines.push(...part.value)
    else {
      at += part.value.length
      open.to = at
    }
  }
  return open === null ? found : [...found, open]
}

/** Two insertions at the same place have no order, so that they count as an overlap. */
function overlap(one: Hunk, other: Hunk): boolean {
  if (one.from === one.to && other.from === other.to) return one.from === other.from
  return one.from < other.to && other.from < one.to
}
