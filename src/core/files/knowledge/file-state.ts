import { allLines } from '../text/line-list.ts'
import type { Knowledge } from '../text/version.ts'

/** A line of a file as far as it is known. */
export interface StateLine {
  readonly id: number
  readonly text: string
  /** False for the last known text of a line that may have changed since. */
  readonly certain: boolean
}

/**
 * Consecutive lines, or a gap between them. `first` counts from 1; it and the length of a gap are null when they are not
 * known.
 */
export type Segment =
  | { readonly kind: 'lines'; readonly first: number | null; readonly lines: readonly StateLine[] }
  | { readonly kind: 'gap'; readonly first: number | null; readonly length: number | null }

/** What is known of a file at one time. A text with n line breaks has n + 1 lines. */
export interface FileState {
  /** 0 before the file was first seen; increases with every detected change of its text. */
  readonly version: number
  readonly exists: boolean | null
  /** The number of lines, counting the empty one after a last line break; null when not certain. */
  readonly lineCount: number | null
  /** True when every line is known for certain. */
  readonly complete: boolean
  /**
   * The whole text when `complete`, else null. It ends with a line break when the agent's tools do not show the ending,
   * because most text files have one.
   */
  readonly text: string | null
  readonly segments: readonly Segment[]
}

export interface StateFacts extends Knowledge {
  readonly number: number
  readonly exists: boolean | null
}

export function fileState({ version, doubt, number, exists }: StateFacts): FileState {
  const segments: Segment[] = []
  let reached: number | null = 0
  for (const { at, lines } of version.runs) {
    if (at === null || reached === null || at > reached) {
      const length = at === null || reached === null ? null : at - reached
      segments.push({ kind: 'gap', first: reached === null ? null : reached + 1, length })
    }
    segments.push({
      kind: 'lines',
      first: at === null ? null : at + 1,
      lines: allLines(lines).map(({ id, text, stamp }) => ({ id, text, certain: stamp > doubt })),
    })
    reached = at === null ? null : at + lines.length
  }
  const lineCount = version.countStamp > doubt ? version.count : null
  if (exists !== false && (reached === null || reached !== lineCount)) {
    const length = lineCount === null || reached === null ? null : lineCount - reached
    segments.push({ kind: 'gap', first: reached === null ? null : reached + 1, length })
  }
  const only = segments[0]
  const complete =
    exists !== false &&
    lineCount !== null &&
    segments.length === 1 &&
    only?.kind === 'lines' &&
    only.lines.every((line) => line.certain)
  const textOf = (lines: readonly StateLine[]): string => {
    const text = lines.map((line) => line.text).join('\n')
    return version.openEnding && text !== '' ? `${text}\n` : text
  }
  let text: string | null = null
  return {
    version: number,
    exists,
    lineCount: lineCount === null || version.openEnding ? null : lineCount,
    complete,
    // Joined on first use, because most callers need only the lines.
    get text() {
      if (complete) text ??= textOf(only.lines)
      return text
    },
    segments,
  }
}

/** The certain text of a line, counted from 1, or null. */
export function certainLine(state: FileState, line: number): string | null {
  for (const segment of state.segments) {
    if (segment.first === null || segment.kind === 'gap') continue
    const found = segment.lines[line - segment.first]
    if (found !== undefined) return found.certain ? found.text : null
  }
  return null
}
